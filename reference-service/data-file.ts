import { readFileSync, watchFile } from 'node:fs'
import { z } from 'zod'
import { createStore, type Grant, grantsFor, seededTokens, type Store, type UnsortedData } from './store'

/** The data of a file, read again when it changes; after an unreadable edit the last good data stays. */
export function openFileStore(options: {
  path: string
  seed: number
  report: (message: string) => void
  watch?: typeof watchByPolling
}): Store {
  const { path, seed, report, watch = watchByPolling } = options
  const read = () => {
    try {
      return parseDataFile(readFileSync(path, 'utf8'), seed)
    } catch (error) {
      throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  }
  const first = read()
  const store = createStore(first.data, first.tokens)
  watch(path, () => {
    try {
      const { data, tokens } = read()
      store.replace(data, tokens)
      report(`${path}: read again`)
    } catch (error) {
      report(`${error instanceof Error ? error.message : String(error)}; keeping the last good data`)
    }
  })
  return store
}

/** Polls: editors replace files, and file system events differ by platform. */
function watchByPolling(path: string, changed: () => void): void {
  watchFile(path, { interval: 500, persistent: false }, (now, before) => {
    if (now.mtimeMs !== before.mtimeMs) changed()
  })
}

function parseDataFile(text: string, seed: number): { data: UnsortedData; tokens: ReadonlyMap<string, Grant> } {
  const result = dataFile.safeParse(JSON.parse(text))
  if (!result.success) {
    const { issues } = result.error
    const lines = issues
      .slice(0, 5)
      .map(({ path, message }) => (path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`))
    if (issues.length > lines.length) lines.push(`and ${issues.length - lines.length} more`)
    throw new Error(lines.join('; '))
  }
  const { schools, askedQuestions, declarationsOfInterest, tokens } = result.data
  const names = new Map(schools.map((school) => [school.id, school.name]))
  const data: UnsortedData = {
    highSchools: schools,
    // Fields in the order of the specification. A missing name is the school's own, or its id.
    askedQuestions: askedQuestions.map(({ id, highSchoolId, highSchoolName, ...rest }) => {
      return { id, highSchoolId, highSchoolName: highSchoolName ?? names.get(highSchoolId) ?? highSchoolId, ...rest }
    }),
    declarationsOfInterest,
  }
  if (!tokens) return { data, tokens: grantsFor(seededTokens(seed), schools) }
  const grants = tokens.map(
    ({ token: name, schools: of }, index) => [name, { label: `token ${index + 1}`, schools: of }] as const,
  )
  return { data, tokens: new Map(grants) }
}

const nonEmptyId = z.string().min(1)
const highSchool = z.object({ id: nonEmptyId, name: z.string() })
/** Any ISO 8601 time with a zone; answered in UTC with milliseconds. */
const createdAt = z.iso.datetime({ offset: true }).transform((time) => new Date(time).toISOString())

const question = z.object({
  id: nonEmptyId,
  highSchoolId: nonEmptyId,
  highSchoolName: z.string().optional(),
  createdAt,
  question: z.string(),
})
const sender = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('email'), email: z.string(), phone: z.null().default(null) }),
  z.object({ mode: z.literal('phone'), phone: z.string(), email: z.null().default(null) }),
])
const declaration = z.object({
  id: nonEmptyId,
  highSchoolId: nonEmptyId,
  createdAt,
  user: z.object({
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    phone: z.string(),
    highSchoolEnrollmentYear: z.int(),
  }),
})
const token = z.strictObject({
  token: z.string().regex(/^\S+$/, 'a token is one word'),
  schools: z.union([z.enum(['all', 'none']), z.array(nonEmptyId)], { error: '"all", "none" or a list of school ids' }),
})

const dataFile = z.strictObject({
  schools: z.array(highSchool).check(unique('id')),
  askedQuestions: z.array(question.extend({ sender })).default([]),
  declarationsOfInterest: z.array(declaration).default([]),
  tokens: z.array(token).min(1).check(unique('token')).optional(),
})

function unique<K extends string>(key: K) {
  return ({ value, issues }: z.core.ParsePayload<Record<K, string>[]>) =>
    value.forEach(({ [key]: input }, index) => {
      if (value.findIndex((other) => other[key] === input) === index) return
      issues.push({ code: 'custom', input, path: [index, key], message: `${key} is there twice: ${input}` })
    })
}
