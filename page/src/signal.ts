/** A list of listeners to an event. */
export class Signal<T = void> {
  private readonly listeners: ((what: T) => void)[] = [];

  listen(listener: (what: T) => void): void {
    this.listeners.push(listener);
  }

  send(what: T): void {
    for (const listener of this.listeners) {
      listener(what);
    }
  }
}
