import { readFileSync, watchFile } from 'node:fs'
import { z } from 'zod'
import type { AskedQuestion } from './specification'
import { createStore, type Grant, type Store, type UnsortedData } from './store'
import { grantsFor, seededTokens } from './tokens'

type FileStoreOptions = {
  path: string
  /** Names the tokens when the file has none of its own. */
  seed: number
  report: (message: string) => void
  /** Calls `changed` whenever the file has been edited. */
  watch?: (path: string, changed: () => void) => void
}

/** The data of a file, read again when it changes; an edit that cannot be read is reported and the last good data stays. */
export function openFileStore({ path, seed, report, watch = watchByPolling }: FileStoreOptions): Store {
  const read = (): FileContent => {
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

const pollMs = 500

/** Polls, since editors replace a file instead of writing into it and events of the file system differ by platform. */
function watchByPolling(path: string, changed: () => void): void {
  watchFile(path, { interval: pollMs, persistent: false }, (now, before) => {
    if (now.mtimeMs !== before.mtimeMs) changed()
  })
}

type FileContent = { data: UnsortedData; tokens: ReadonlyMap<string, Grant> }

/** Reads a data file's text; throws an error whose message says in words what is wrong and where. */
function parseDataFile(text: string, seed: number): FileContent {
  const result = dataFile.safeParse(JSON.parse(text))
  if (!result.success) throw new Error(describe(result.error))
  const { schools, askedQuestions, declarationsOfInterest, tokens } = result.data
  const names = new Map(schools.map((school) => [school.id, school.name]))
  const data: UnsortedData = {
    highSchools: schools,
    askedQuestions: askedQuestions.map((asked) => withSchoolName(asked, names)),
    declarationsOfInterest,
  }
  if (!tokens) return { data, tokens: grantsFor(seededTokens(seed), schools) }
  return {
    data,
    tokens: new Map(
      tokens.map((entry, index) => [entry.token, { label: `token ${index + 1}`, schools: entry.schools }]),
    ),
  }
}

/** In the order of the specification. A name left out is the school's own, or the id of a school not in the list. */
function withSchoolName(
  { id, highSchoolId, highSchoolName, ...rest }: z.output<typeof dataFile>['askedQuestions'][number],
  names: ReadonlyMap<string, string>,
): AskedQuestion {
  return { id, highSchoolId, highSchoolName: highSchoolName ?? names.get(highSchoolId) ?? highSchoolId, ...rest }
}

/** The first problems, each with its place, such as `schools[0].name: Invalid input`. */
function describe({ issues }: z.ZodError): string {
  const lines = issues.slice(0, 5).map(({ path, message }) => {
    const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
    return place === '' ? message : `${place.replace(/^\./, '')}: ${message}`
  })
  if (issues.length > lines.length) lines.push(`and ${issues.length - lines.length} more`)
  return lines.join('; ')
}

const anyId = z.string().min(1)
const highSchool = z.object({ id: anyId, name: z.string() })
/** Any ISO 8601 time with a zone; answered in UTC with milliseconds. */
const createdAt = z.iso.datetime({ offset: true }).transform((time) => new Date(time).toISOString())

const question = z.object({
  id: anyId,
  highSchoolId: anyId,
  highSchoolName: z.string().optional(),
  createdAt,
  question: z.string(),
})
const sender = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('email'), email: z.string(), phone: z.null().default(null) }),
  z.object({ mode: z.literal('phone'), phone: z.string(), email: z.null().default(null) }),
])
const declaration = z.object({
  id: anyId,
  highSchoolId: anyId,
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
  schools: z.union([z.enum(['all', 'none']), z.array(anyId)], { error: '"all", "none" or a list of school ids' }),
})

const dataFile = z.strictObject({
  schools: z.array(highSchool).check(unique('id')),
  askedQuestions: z.array(question.extend({ sender })).default([]),
  declarationsOfInterest: z.array(declaration).default([]),
  tokens: z.array(token).min(1).check(unique('token')).optional(),
})

function unique<K extends string>(key: K) {
  return ({ value, issues }: z.core.ParsePayload<Record<K, string>[]>) => {
    const seen = new Set<string>()
    value.forEach((item, index) => {
      if (seen.has(item[key])) {
        issues.push({
          code: 'custom',
          input: item[key],
          path: [index, key],
          message: `${key} is there twice: ${item[key]}`,
        })
      }
      seen.add(item[key])
    })
  }
}
