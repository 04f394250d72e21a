/**
 * A table of a trace in either of its two forms: a list of rows with named fields, or columns of equal length. Columns
 * store a text as its index in the trace's list of words.
 */
export class Table {
  readonly length: number;
  private readonly column: (name: string) => readonly unknown[];

  constructor(
    table: unknown,
    private readonly words: readonly string[],
  ) {
    if (Array.isArray(table)) {
      this.length = table.length;
      this.column = (name) => table.map((row: Record<string, unknown>) => row[name]);
    } else {
      const columns = (table ?? {}) as Record<string, unknown[]>;
      this.length = Object.values(columns)[0]?.length ?? 0;
      this.column = (name) => columns[name] ?? [];
    }
  }

  /** The values of a numeric column; `absent` replaces missing values. */
  numbers<Absent>(name: string, absent: Absent): (number | Absent)[] {
    const column = this.column(name);
    return this.rows((row) => (typeof column[row] === "number" ? column[row] : absent));
  }

  switches(name: string): boolean[] {
    const column = this.column(name);
    return this.rows((row) => Boolean(column[row]));
  }

  texts(name: string): (string | null)[] {
    const column = this.column(name);
    return this.rows((row) => {
      const value = column[row];
      return typeof value === "number" ? (this.words[value] ?? null) : ((value as string | null | undefined) ?? null);
    });
  }

  /** The raw cells of a column. */
  cells(name: string): readonly unknown[] {
    return this.column(name);
  }

  rows<R>(make: (row: number) => R): R[] {
    return Array.from({ length: this.length }, (_, row) => make(row));
  }
}
