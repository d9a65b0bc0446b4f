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
import { matchingSchema, sortSchema } from '@/lib/contract/list-query'
import { admissionCycleSchema, workSettingsSchema } from '@/lib/contract/settings'
import { groupBy } from '@/lib/group-by'
import { LOCALES } from '@/lib/i18n/locale'
import { SETTINGS } from '@/server/base/settings-schema'
import { createShapeNotation, type ShapeNotation } from './shape-notation'

// `npm run docs` writes the parts of the documents that follow from the code.

/** Each function gets the text of its document, and returns it with those parts written anew. */
export const documents = { 'docs/settings.md': writeSettings, 'docs/api.md': writeApi }

/** Writes a line for each setting, in the order of the schema, with the comment that stands above it there. */
function writeSettings(document: string) {
  const source = readFileSync('server/base/settings-schema.ts', 'utf8')
  const commented = [...source.matchAll(/\/\*\* (.+) \*\/\n {2}([A-Z_]+): /g)]
  const comments = new Map(commented.map(([, comment, name]) => [name, comment]))
  const lines = SETTINGS.map(({ name, isSecret, defaultText }) => {
    const usual = defaultText ? ` = \`${defaultText}\`` : ''
    return `- \`${name}\`${usual}${isSecret ? ' (secret)' : ''}: ${comments.get(name) ?? ''}\n`
  })
  return document.replace(/^(?:- `[A-Z_]+`.+\n)+/m, lines.join(''))
}

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
  Matching: matchingSchema,
  View: endpoints['GET /api/views'].answer.shape.views.element,
  Snapshot: snapshotInfoSchema,
  Triage: lead.triageSchema,
  Attempt: lead.attemptSchema,
  Person: lead.askedQuestionItemSchema.shape.person.unwrap(),
  AskedQuestion: lead.askedQuestionItemSchema,
  DeclarationOfInterest: lead.declarationOfInterestItemSchema,
  Reason: endpoints['GET /api/contacts/[id]'].answer.shape.leads.element.options[0].shape.reason,
  Template: endpoints['POST /api/templates'].answer,
  Cycle: admissionCycleSchema,
  SeasonDate: endpoints['GET /api/day'].answer.shape.season.shape.dates.element,
  Settings: workSettingsSchema,
  Preference: endpoints['PUT /api/preferences/[name]'].answer.shape.value,
  Session: endpoints['GET /api/account/sessions'].answer.shape.sessions.element,
  User: user,
  Activity: activityItemSchema,
}

/** Writes the endpoints and the shapes. The introduction above them stays. */
function writeApi(document: string) {
  const notation = createShapeNotation()
  const shapes = Object.entries(SHAPES).flatMap(([name, schema]) =>
    wrapLines(`${name} = `, notation.defineShape(name, schema)),
  )
  const methods = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => {
    const [method = '', path = ''] = name.split(' ')
    return { path, text: describeMethod(method, endpoint, notation) }
  })
  const parts = [...groupBy(methods, ({ path }) => path)].flatMap(([path, methodsOfPath]) => [
    `## ${path}`,
    ...methodsOfPath.map(({ text }) => text),
  ])
  const introduction = document.slice(0, document.indexOf('\n\n## /api/'))
  return `${[introduction, ...parts, '## Shapes', indentCode(shapes)].join('\n\n')}\n`
}

const CALLERS: Readonly<Record<string, string>> = { anyone: 'anyone', 'signed-in': 'signed in' }

function describeMethod(method: string, endpoint: Endpoint, { describeSchema }: ShapeNotation) {
  const { summary, who, proof, enrolling, params, query, body } = endpoint
  const { requestTypes, answer, responseTypes = [], errors = {} } = endpoint
  const terms = [CALLERS[who] ?? `\`${who}\``, ...(proof ? ['proof'] : []), ...(enrolling ? ['enrolling'] : [])]
  const sentences = [
    `**${method}** (${terms.join(', ')})`,
    summary,
    ...(requestTypes ? [`Body: ${requestTypes.join(', ')}.`] : []),
    ...Object.entries(errors).map(([status, when]) => `${status}: ${when}.`),
  ]
  const inputs = { path: params === idParamsSchema ? undefined : params, query, body }
  const lines = Object.entries(inputs).flatMap(([where, schema]) =>
    schema ? wrapLines(`${where} `, describeSchema(schema, 'input')) : [],
  )
  const answers = [...(answer ? [describeSchema(answer, 'output')] : []), ...responseTypes]
  if (answers.length > 0) lines.push(...wrapLines('answer ', answers.join(' or ')))
  return [sentences.join(' '), ...(lines.length > 0 ? [indentCode(lines)] : [])].join('\n\n')
}

function indentCode(lines: string[]) {
  return lines.map((line) => `    ${line}`).join('\n')
}

const MAX_LINE_LENGTH = 120

function wrapLines(beginning: string, shape: string) {
  const lines: string[] = []
  let line = beginning
  for (const word of shape.split(/(?<=,) | (?=\|)/)) {
    if (line.length + word.length > MAX_LINE_LENGTH) {
      lines.push(line.trimEnd())
      line = '  '
    }
    line += `${word} `
  }
  return [...lines, line.trimEnd()]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, write] of Object.entries(documents)) writeFileSync(path, write(readFileSync(path, 'utf8')))
}
