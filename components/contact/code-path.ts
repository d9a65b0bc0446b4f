/** The dark modules of a code as one SVG path, a rectangle for each run of them in a row. */
export function codePath(rows: readonly (readonly boolean[])[]): string {
  return rows.map(rowPath).join('')
}

function rowPath(row: readonly boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < row.length; x++) {
    if (row[x] !== true) continue
    const start = x
    while (row[x + 1] === true) x++
    path += `M${start} ${y}h${x + 1 - start}v1H${start}z`
  }
  return path
}
