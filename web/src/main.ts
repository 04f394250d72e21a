/** The text of one of the page's own elements. */
function text(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}

const packed = Uint8Array.from(atob(text("simulator")), (each) => each.charCodeAt(0));
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
const worker = new Worker(URL.createObjectURL(new Blob([text("worker")], { type: "text/javascript" })));
worker.onmessage = ({ data }) => {
  document.getElementById("about")?.append(data);
};
new Response(unpacked).arrayBuffer().then((simulator) => worker.postMessage(simulator, [simulator]));
