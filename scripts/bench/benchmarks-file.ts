import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'

const FILE = 'BENCHMARKS.md'
export const HEAD = `# Benchmarks

Written by \`npm run bench -- <name> --write\`; \`scripts/bench/<name>.ts\` explains the figures. Goals: interest meets its target, the
truth lies in four of five ranges (forecast). In the same run: bare \`node:http\` and a bare Next route (requests), csv-stringify and exceljs (export), JSON.parse and zod (ingest), the theoretical optimum
(freshness), two naive models (forecast).
`

export function writeSection(name: string, settings: string, rows: readonly object[]): void {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : HEAD
  writeFileSync(FILE, withSection(text, name, `${setting(settings)}\n\n${table(rows)}`))
}

export function withSection(text: string, name: string, content: string): string {
  const [head = '', ...sections] = text.split(/^(?=## )/m)
  const others = sections.filter((section) => section.split('\n', 1)[0] !== `## ${name}`)
  const all = [...others.map((section) => section.trimEnd()), `## ${name}\n\n${content}`].sort()
  return `${[head.trimEnd(), ...all].join('\n\n')}\n`
}

function setting(settings: string): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const memory = Math.round(totalmem() / 2 ** 30)
  const day = new Date().toISOString().slice(0, 10)
  return `${day}, ${model}, ${availableParallelism()} cores, ${memory} GB, Node ${process.versions.node}; ${settings}`
}

/** A column that is the same in every row is said once, above; a text as in the row above is left out. */
export function table(rows: readonly object[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) => {
    const known = new Map<string, unknown>(Object.entries(row))
    return names.map((name) => cell(known.get(name)))
  })
  const isSame = names.map((_, at) => rows.length > 1 && cells.every((row) => row[at] === cells[0]?.[at]))
  const same = names.flatMap((name, at) => (isSame[at] ? [`${name} ${cells[0]?.[at]}`] : []))
  const above = same.length > 0 ? [`In every row: ${same.join('; ')}.`, ''] : []
  const varying = (row: readonly string[]) => row.filter((_, at) => !isSame[at])
  return [...above, '```', ...inColumns([varying(names), ...cells.map(varying)]), '```'].join('\n')
}

function inColumns(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row, place) => {
    const shown = row.map((text, at) => (isRepeated(row, rows[place - 1], at) ? '' : text))
    return shown
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  })
}

/** With all texts before it, so that a blank is never another row's. */
function isRepeated(row: readonly string[], above: readonly string[] | undefined, at: number): boolean {
  return row.slice(0, at + 1).every((text, place) => text === above?.[place] && Number.isNaN(Number(text)))
}

function cell(value: unknown): string {
  if (typeof value !== 'number') return String(value ?? '')
  if (!Number.isFinite(value)) return ''
  return Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
}
