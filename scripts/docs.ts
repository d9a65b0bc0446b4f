import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { activityItemSchema } from '@/lib/contract/activity'
import { type Endpoint, idParamsSchema, namedRefSchema } from '@/lib/contract/endpoint'
import { endpoints } from '@/lib/contract/endpoints'
import { exportColumnSchema, exportFormatSchema } from '@/lib/contract/export'
import { problemKindSchema, snapshotInfoSchema } from '@/lib/contract/feed-status'
import { countSchema } from '@/lib/contract/interest'
import * as lead from '@/lib/contract/lead'
import { MAIL_WAYS } from '@/lib/contract/limits'
import { askedQuestionsFilterSchema, matchingSchema, sortSchema } from '@/lib/contract/list-query'
import { admissionCycleSchema, workSettingsSchema } from '@/lib/contract/settings'
import { groupBy } from '@/lib/group-by'
import { LOCALES } from '@/lib/i18n/locale'
import { SETTINGS } from '@/server/base/settings-schema'

// `npm run docs` writes the parts of the documents that follow from the code.

export const documents = { 'docs/settings.md': settingsDocument, 'docs/api.md': apiDocument }

/** Writes a line for each setting, in its order, with the comment above it. */
function settingsDocument(written: string): string {
  const schema = readFileSync('server/base/settings-schema.ts', 'utf8')
  const sentences = new Map(
    [...schema.matchAll(/\/\*\* (.+) \*\/\n {2}([A-Z_]+): /g)].map(([, comment, name]) => [name, comment]),
  )
  const lines = SETTINGS.map(({ name, isSecret, fallback }) => {
    const usual = fallback ? ` = \`${fallback}\`` : ''
    return `- \`${name}\`${usual}${isSecret ? ' (secret)' : ''}: ${sentences.get(name) ?? ''}`
  })
  return written.replace(/^(?:- `[A-Z_]+`.+\n)+/m, `${lines.join('\n')}\n`)
}

const questions = endpoints['GET /api/asked-questions']
const day = endpoints['GET /api/day'].answer.shape
const user = endpoints['GET /api/users'].answer.shape.users.element

/** Shapes of several endpoints are described once, each after those that it uses. */
const SHAPES: Readonly<Record<string, z.ZodType>> = {
  Kind: lead.leadKindSchema,
  List: lead.leadListSchema,
  Status: lead.leadStatusSchema,
  Channel: lead.attemptChannelSchema,
  Outcome: lead.attemptOutcomeSchema,
  Sort: sortSchema,
  Language: z.enum(LOCALES),
  Role: user.shape.role,
  MailWay: z.enum(MAIL_WAYS),
  Format: exportFormatSchema,
  Column: exportColumnSchema,
  Fault: problemKindSchema,
  Count: countSchema,
  Named: namedRefSchema,
  Lead: lead.leadRefSchema,
  Filter: askedQuestionsFilterSchema.omit({ mode: true }),
  Matching: matchingSchema,
  View: endpoints['GET /api/views'].answer.shape.views.element,
  Snapshot: snapshotInfoSchema,
  Triage: lead.triageSchema,
  Attempt: lead.attemptSchema,
  Work: lead.askedQuestionItemSchema.omit(lead.askedQuestionSchema.keyof().enum as never),
  AskedQuestion: lead.askedQuestionItemSchema,
  DeclarationOfInterest: lead.declarationOfInterestItemSchema,
  Paging: questions.query.omit({ ...askedQuestionsFilterSchema.shape, id: true } as never),
  Page: questions.answer.options[0].omit({ askedQuestions: true }),
  Reason: endpoints['GET /api/contacts/[id]'].answer.shape.leads.element.options[0].shape.reason,
  NewTemplate: endpoints['POST /api/templates'].body,
  Template: endpoints['POST /api/templates'].answer,
  ToDo: day.byList.shape['asked-questions'].omit({ due: true }),
  Cycle: admissionCycleSchema,
  SeasonDate: day.season.shape.dates.element,
  Settings: workSettingsSchema,
  Preference: endpoints['PUT /api/preferences/[name]'].answer.shape.value,
  Rows: endpoints['POST /api/exports/preview'].answer.shape.fresh.unwrap(),
  Session: endpoints['GET /api/account/sessions'].answer.shape.sessions.element,
  User: user,
  Activity: activityItemSchema,
}
/** The shapes that `apiDocument` has described so far, by their text, and the fields of objects, by name. */
const shapeNames = new Map<string, string>()
const shapeFields = new Map<string, string[]>()

/** Writes all but the introduction, which ends at the first endpoint. */
function apiDocument(written: string): string {
  shapeNames.clear()
  shapeFields.clear()
  const shapes = Object.entries(SHAPES).map(([name, schema]) => {
    const node = toJsonSchema(schema)
    const shape = describeShape(node)
    shapeNames.set(shape, name)
    if (node.type === 'object') shapeFields.set(name, listFields(node))
    return wrapLines(`${name} = `, shape)
  })
  const all = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => {
    const [method = '', path = ''] = name.split(' ')
    const { summary, who, proof, enrolling, params, query, body } = endpoint
    const { requestTypes, answer, responseTypes = [], errors = {} } = endpoint
    const permission = who === 'anyone' ? 'anyone' : who === 'signed-in' ? 'signed in' : `\`${who}\``
    const terms = [permission, ...(proof ? ['proof'] : []), ...(enrolling ? ['enrolling'] : [])]
    const inputs = Object.entries({ path: params === idParamsSchema ? undefined : params, query, body })
    const lines = inputs.flatMap(([where, schema]) =>
      schema ? [wrapLines(`${where} `, describeNode(toJsonSchema(schema, 'input')))] : [],
    )
    const answers = [...(answer ? [describeNode(toJsonSchema(answer))] : []), ...responseTypes].join(' or ')
    if (answers !== '') lines.push(wrapLines('answer ', answers))
    const sentences = [
      `**${method}** (${terms.join(', ')})`,
      summary,
      ...(requestTypes ? [`Body: ${requestTypes.join(', ')}.`] : []),
    ]
    sentences.push(...Object.entries(errors).map(([status, when]) => `${status}: ${when}.`))
    return { path, part: [sentences.join(' '), ...(lines.length > 0 ? [indentCode(lines)] : [])].join('\n\n') }
  })
  const parts = [...groupBy(all, ({ path }) => path)].flatMap(([path, methods]) => [
    `## ${path}`,
    ...methods.map(({ part }) => part),
  ])
  const introduction = written.slice(0, written.indexOf('\n\n## /api/'))
  return `${[introduction, ...parts, '## Shapes', indentCode(shapes)].join('\n\n')}\n`
}

function indentCode(shapes: string[]): string {
  return shapes.flatMap((shape) => shape.split('\n').map((line) => `    ${line}`)).join('\n')
}

function wrapLines(beginning: string, shape: string): string {
  const lines: string[] = []
  let line = beginning
  for (const word of shape.split(/(?<=,) | (?=\|)/)) {
    if (line.length + word.length > 120) {
      lines.push(line.trimEnd())
      line = '  '
    }
    line += `${word} `
  }
  return [...lines, line.trimEnd()].join('\n')
}

type SchemaNode = z.core.JSONSchema.JSONSchema

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output' = 'output'): SchemaNode {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' })
}

function describeNode(node: SchemaNode | boolean | undefined): string {
  if (typeof node !== 'object') return 'anything'
  const shape = describeShape(node)
  return shapeNames.get(shape) ?? shape
}

function describeShape(node: SchemaNode): string {
  const options = node.anyOf ?? node.oneOf
  if (options) return joinOptions([...new Set(options.map(describeNode))])
  if (Array.isArray(node.type)) return joinOptions(node.type.map((type) => describeShape({ ...node, type })))
  if (node.const !== undefined) return JSON.stringify(node.const)
  if (node.enum) return node.enum.map((each) => JSON.stringify(each)).join(' | ')
  if (node.type === 'object') {
    // `...Name` stands for all fields of that shape.
    let rest = listFields(node)
    const spreads: string[] = []
    for (const [name, fields] of [...shapeFields].toReversed()) {
      if (fields.length < 2 || !fields.every((field) => rest.includes(field))) continue
      spreads.push(`...${name}`)
      rest = rest.filter((field) => !fields.includes(field))
    }
    const parts = [...spreads, ...rest]
    return parts.length === 1 && spreads.length === 1 ? (spreads[0] ?? '').slice(3) : `{${parts.join(', ')}}`
  }
  if (node.prefixItems) return `[${node.prefixItems.map(describeNode).join(', ')}]`
  if (node.type === 'array') {
    const one = describeNode(node.items as SchemaNode)
    const limit = node.maxItems === undefined ? '' : `≤${node.maxItems}`
    return `${one.includes('|') ? `(${one})` : one}[${limit}]`
  }
  if (node.format === 'date') return 'day'
  if (node.format === 'date-time') return 'moment'
  if (node.type === 'string') return `${node.format ?? 'string'}${formatRange(node.minLength, node.maxLength)}`
  if (node.type === 'integer' || node.type === 'number') return `${node.type}${formatRange(node.minimum, node.maximum)}`
  return node.type ?? 'anything'
}

function joinOptions(shapes: string[]): string {
  return shapes.join(shapes.length === 2 && shapes[1] === 'null' ? '|' : ' | ')
}

function listFields({ properties = {}, required = [], additionalProperties }: SchemaNode): string[] {
  const own = Object.entries(properties).map(([name, field]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
    const { default: value } = field as SchemaNode
    const fallback = value === undefined ? '' : ` = ${JSON.stringify(value)}`
    const label = `${key}${required.includes(name) && fallback === '' ? '' : '?'}`
    const type = describeNode(field)
    return type === 'string' && fallback === '' ? label : `${label}: ${type}${fallback}`
  })
  return additionalProperties ? [...own, `[key]: ${describeNode(additionalProperties)}`] : own
}

function formatRange(min: number | undefined, max: number | undefined): string {
  const from = min === undefined || min <= Number.MIN_SAFE_INTEGER ? '' : String(min)
  const to = max === undefined || max >= Number.MAX_SAFE_INTEGER ? '' : String(max)
  if (from === '' && to === '') return ''
  return `(${to === '' ? `≥${from}` : from === '' ? `≤${to}` : `${from}–${to}`})`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, written] of Object.entries(documents)) writeFileSync(path, written(readFileSync(path, 'utf8')))
}
