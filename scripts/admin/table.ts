/** Rows as columns of one width each; the first row is the head. */
export function inColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)))
  const line = (row: readonly string[]) =>
    row.map((text, column) => text + ' '.repeat(Math.max(0, (widths[column] ?? 0) - [...text].length))).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

/** Bytes as somebody would say them. */
export function inBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}
