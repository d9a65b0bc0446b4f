import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { SETTINGS } from '@/server/settings-schema'
import { activityItemSchema } from '@/lib/contract/activity'
import { type Endpoint, named, PERMISSIONS } from '@/lib/contract/endpoint'
import { endpoints } from '@/lib/contract/endpoints'
import { snapshotInfoSchema } from '@/lib/contract/feed-status'
import * as lead from '@/lib/contract/lead'
import { matchingSchema } from '@/lib/contract/list-query'

// npm run docs: writes what documents say of the code, where the code itself says it.

export const documents = { 'docs/settings.md': settingsDocument, 'docs/api.md': apiDocument }

/** The table has each setting in its order, with the comment that stands above it. */
function settingsDocument(written: string): string {
  const schema = readFileSync('server/settings-schema.ts', 'utf8')
  const sentences = new Map(
    [...schema.matchAll(/\/\*\* (.+) \*\/\n {2}([A-Z_]+): /g)].map(([, says, name]) => [name, says]),
  )
  const rows = SETTINGS.map(({ name, isSecret, fallback }) => {
    const names = isSecret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``
    return `| ${names} | ${fallback && `\`${fallback}\``} | ${sentences.get(name) ?? ''} |`
  })
  return written.replace(/(^\| Variable .+\n\|[-|]+\n)(?:\|.+\n)+/m, (_, head: string) => `${head}${rows.join('\n')}\n`)
}

const shapes = z.registry<{ id: string }>()
const SHAPES = {
  Kind: lead.leadKindSchema,
  List: lead.leadListSchema,
  Status: lead.leadStatusSchema,
  Channel: lead.attemptChannelSchema,
  Outcome: lead.attemptOutcomeSchema,
  Named: named,
  Lead: lead.leadRefSchema,
  Matching: matchingSchema,
  Snapshot: snapshotInfoSchema,
  Triage: lead.triageSchema,
  Attempt: lead.attemptSchema,
  AskedQuestion: lead.askedQuestionItemSchema,
  DeclarationOfInterest: lead.declarationOfInterestItemSchema,
  Activity: activityItemSchema,
} as const
for (const [id, schema] of Object.entries(SHAPES)) shapes.add(schema, { id })

function apiDocument(): string {
  const parts = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => partOf(name, endpoint))
  const used = Object.entries(SHAPES).map(([id, schema]) =>
    wrapped(`${id} = `, inside(jsonOf(schema).$defs?.[id] ?? {})),
  )
  return `${[INTRODUCTION, ...parts, '## Shapes', code(used)].join('\n\n')}\n`
}

const INTRODUCTION = `# The API

Written by \`npm run docs\` from the declarations in \`lib/contract\`; do not edit it.

All of it is JSON, behind the session cookie of next-auth. *Who* is a permission (${PERMISSIONS.map((one) => `\`${one}\``).join(', ')}),
every signed-in user, or anyone. *After a proof*: only within ten minutes of a proof of identity. Every error is
\`{error: string}\`, some with a \`reason\` for programs, which is the header \`intag-reason\`, too. What follows from an endpoint is not repeated there:

- 400: a parameter, a field or the path of one that is wrong or not declared, by its name.
- 401: no session. 403: not this person, another origin than Intag's own with anything but GET, a second factor that is missing, or a proof that is needed.
- 404: what is named in the path, the query or the body is not there, or out of the caller's reach. 405: a method that is not declared.
- 413, 415: a body of more than a megabyte (20 kB where anyone may), or of another type than JSON.
- 429: too many tries or mails. 503: too much at once, no data yet, or no database; both with \`Retry-After\`.

In shapes \`day\` is \`yyyy-MM-dd\` in Europe/Stockholm, \`moment\` ISO 8601 in UTC; \`?\` may be left out; \`T[≤9]\` has at most nine; a list in a query repeats its name.`

function partOf(name: string, endpoint: Endpoint): string {
  const { what, who, proof, enrolling, params, query, body, types, answer, content = [], errors = {} } = endpoint
  const terms = [
    who === 'anyone' ? 'anyone' : who === 'signed-in' ? 'signed in' : `\`${who}\``,
    ...(proof ? ['after a proof'] : []),
    ...(enrolling ? ['also before a second factor'] : []),
  ]
  const given = Object.entries({ path: params, query, body }).flatMap(([where, schema]) =>
    schema ? [wrapped(`${where} `, text(jsonOf(schema, 'input')))] : [],
  )
  const answers = [...(answer ? [text(jsonOf(answer))] : []), ...content].join(' or ') || '{}'
  const special = Object.entries(errors).map(([status, when]) => `${status}: ${when}.`)
  return [
    `## ${name}`,
    [what, `*Who:* ${terms.join(', ')}.`, ...(types ? [`*Body:* ${types.join(', ')}.`] : []), ...special].join(' '),
    code([...given, wrapped('answer ', answers)]),
  ].join('\n\n')
}

function code(lines: string[]): string {
  return ['```ts', ...lines, '```'].join('\n')
}

const WIDTH = 120

function wrapped(beginning: string, shape: string): string {
  const lines: string[] = []
  let line = beginning
  for (const word of shape.split(/(?<=,) | (?=\|)/)) {
    if (line.length + word.length > WIDTH) {
      lines.push(line.trimEnd())
      line = '  '
    }
    line += `${word} `
  }
  return [...lines, line.trimEnd()].join('\n')
}

type Node = z.core.JSONSchema.JSONSchema

function jsonOf(schema: z.ZodType, io: 'input' | 'output' = 'output'): Node {
  return z.toJSONSchema(schema, { io, metadata: shapes, unrepresentable: 'any' })
}

function text(node: Node | boolean | undefined): string {
  if (typeof node !== 'object') return 'anything'
  return node.$ref?.replace('#/$defs/', '') ?? inside(node)
}

function inside(node: Node): string {
  const options = node.anyOf ?? node.oneOf
  if (options) return [...new Set(options.map(text))].join(' | ')
  if (Array.isArray(node.type)) return node.type.map((type) => inside({ ...node, type })).join(' | ')
  if (node.const !== undefined) return JSON.stringify(node.const)
  if (node.enum) return node.enum.map((one) => JSON.stringify(one)).join(' | ')
  if (node.type === 'object') return `{${fieldsOf(node).join(', ')}}`
  if (node.prefixItems) return `[${node.prefixItems.map(text).join(', ')}]`
  if (node.type === 'array') return arrayOf(node)
  if (node.format === 'date') return 'day'
  if (node.format === 'date-time') return 'moment'
  if (node.type === 'string') return `${node.format ?? 'string'}${range(node.minLength, node.maxLength)}`
  if (node.type === 'integer' || node.type === 'number') return `${node.type}${range(node.minimum, node.maximum)}`
  return node.type ?? 'anything'
}

function fieldsOf({ properties = {}, required = [], additionalProperties }: Node): string[] {
  const fields = Object.entries(properties).map(([name, field]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
    const { default: value } = field as Node
    const usual = value === undefined ? '' : ` = ${JSON.stringify(value)}`
    return `${key}${required.includes(name) && usual === '' ? '' : '?'}: ${text(field)}${usual}`
  })
  return additionalProperties ? [...fields, `[key]: ${text(additionalProperties)}`] : fields
}

function arrayOf({ items, maxItems }: Node): string {
  const one = text(items as Node)
  const limit = maxItems === undefined ? '' : `≤${maxItems}`
  return `${one.includes(' | ') ? `(${one})` : one}[${limit}]`
}

function range(least: number | undefined, most: number | undefined): string {
  const from = least === undefined || least <= Number.MIN_SAFE_INTEGER ? '' : String(least)
  const to = most === undefined || most >= Number.MAX_SAFE_INTEGER ? '' : String(most)
  if (from === '' && to === '') return ''
  return `(${to === '' ? `≥${from}` : from === '' ? `≤${to}` : `${from}–${to}`})`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, written] of Object.entries(documents)) writeFileSync(path, written(readFileSync(path, 'utf8')))
}
