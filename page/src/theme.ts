/** Light or dark theme: follows the system's setting until somebody uses the switch. */

const KEY = "cellstats-theme";

function kept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // A page in a frame may have no access to storage.
    return null;
  }
}

function keep(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Without storage, the choice lasts until the page closes.
  }
}

export function startTheme(button: HTMLButtonElement): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let chosen = kept();
  const apply = () => {
    const theme = chosen ?? (dark.matches ? "dark" : "light");
    document.documentElement.dataset.theme = theme;
    button.setAttribute("aria-pressed", String(theme === "dark"));
  };
  dark.addEventListener("change", apply);
  button.addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    keep(chosen);
    apply();
  });
  apply();
}
