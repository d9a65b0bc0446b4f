import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'

const FILE = 'BENCHMARKS.md'
export const HEAD = `# Benchmarks

Every section is written by \`npm run bench -- <name> --write\`; what its figures mean stands in \`scripts/bench/<name>.ts\`. Measured beside
it in the same run: for requests a bare \`node:http\` and a bare Next route, for export csv-stringify and exceljs, for ingest JSON.parse
with zod, for freshness the theoretical optimum. The others have no comparison but their own rows: growth other sizes of the list, herd
other numbers of pages.
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

/** On what, when and how it was measured; nothing that names a machine or a place on it. */
function setting(settings: string): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const memory = Math.round(totalmem() / 2 ** 30)
  const day = new Date().toISOString().slice(0, 10)
  return `${day}, ${model}, ${availableParallelism()} cores, ${memory} GB, Node ${process.versions.node}; ${settings}`
}

function table(rows: readonly object[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const cells = rows.map((row) => {
    const known = new Map<string, unknown>(Object.entries(row))
    return line(names.map((name) => cell(known.get(name))))
  })
  return [line(names), line(names.map(() => '---')), ...cells].join('\n')
}

function cell(value: unknown): string {
  if (typeof value !== 'number') return String(value ?? '').replaceAll('|', String.raw`\|`)
  if (!Number.isFinite(value)) return ''
  return Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
}
