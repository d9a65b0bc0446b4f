import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'

const FILE = 'BENCHMARKS.md'
export const HEAD = `# Benchmarks

Written by \`npm run bench -- <name> --write\`; \`scripts/bench/<name>.ts\` explains the figures. Goals: no cost grows faster than the list
(growth), memory does not grow (soak), interest meets its target. Compared in the same run: requests with a bare \`node:http\` and a bare Next route,
export with csv-stringify and exceljs, ingest with JSON.parse and zod, freshness with the theoretical optimum.
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

/** Names no machine and no path. */
function setting(settings: string): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const memory = Math.round(totalmem() / 2 ** 30)
  const day = new Date().toISOString().slice(0, 10)
  return `${day}, ${model}, ${availableParallelism()} cores, ${memory} GB, Node ${process.versions.node}; ${settings}`
}

/** A column that is the same in every row is said once, above. */
export function table(rows: readonly object[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) => {
    const known = new Map<string, unknown>(Object.entries(row))
    return names.map((name) => cell(known.get(name)))
  })
  const isSame = names.map((_, at) => rows.length > 1 && cells.every((row) => row[at] === cells[0]?.[at]))
  const line = (row: readonly string[]) => `| ${row.filter((_, at) => !isSame[at]).join(' | ')} |`
  const same = names.flatMap((name, at) => (isSame[at] ? [`${name} ${cells[0]?.[at]}`] : []))
  const above = same.length > 0 ? [`In every row: ${same.join('; ')}.`, ''] : []
  return [...above, line(names), `|${isSame.map((is) => (is ? '' : '---|')).join('')}`, ...cells.map(line)].join('\n')
}

function cell(value: unknown): string {
  if (typeof value !== 'number') return String(value ?? '').replaceAll('|', String.raw`\|`)
  if (!Number.isFinite(value)) return ''
  return Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
}
