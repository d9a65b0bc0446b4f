import { readFileSync, watchFile } from 'node:fs'
import { z } from 'zod'
import { askedQuestionSchema, declarationOfInterestSchema, highSchoolSchema } from './specification'
import { createSeededTokens, createStore, type Store } from './store'

const tokenSchema = z.strictObject({
  token: z.string().regex(/^\S+$/, 'a token is one word'),
  schools: z.union([z.enum(['all', 'none']), z.array(z.string())], { error: '"all", "none" or a list of school ids' }),
})

const dataFileSchema = z.strictObject({
  schools: z.array(highSchoolSchema),
  askedQuestions: z.array(askedQuestionSchema.extend({ highSchoolName: z.string().default('') })).default([]),
  declarationsOfInterest: z.array(declarationOfInterestSchema).default([]),
  tokens: z.array(tokenSchema).min(1).optional(),
})

type FileStoreOptions = {
  path: string
  seed: number
  report: (message: string) => void
  watch?: typeof watchByPolling
}

/** Serves the data of a file and reads it again when it changes. After an unreadable edit the last good data stays. */
export function openFileStore({ path, seed, report, watch = watchByPolling }: FileStoreOptions): Store {
  const { data, tokens } = readDataFile(path, seed)
  const store = createStore(data, tokens)
  watch(path, () => {
    try {
      const next = readDataFile(path, seed)
      store.replace(next.data, next.tokens)
      report(`${path}: read again`)
    } catch (error) {
      report(`${explainError(error)}; keeping the last good data`)
    }
  })
  return store
}

function readDataFile(path: string, seed: number) {
  try {
    const { schools: highSchools, tokens, ...leads } = dataFileSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
    const names = new Map(highSchools.map(({ id, name }) => [id, name]))
    for (const question of leads.askedQuestions)
      question.highSchoolName ||= names.get(question.highSchoolId) ?? question.highSchoolId
    const scopes = tokens && new Map(tokens.map(({ token, schools }) => [token, schools]))
    return { data: { highSchools, ...leads }, tokens: scopes ?? createSeededTokens(seed, highSchools) }
  } catch (error) {
    throw new Error(`${path}: ${explainError(error)}`, { cause: error })
  }
}

/** Polling works where editors replace files, and on platforms whose file system events differ. */
function watchByPolling(path: string, onChange: () => void) {
  watchFile(path, { interval: 500, persistent: false }, (now, before) => {
    if (now.mtimeMs !== before.mtimeMs) onChange()
  })
}

function explainError(error: unknown) {
  if (error instanceof z.ZodError) return z.prettifyError(error)
  return error instanceof Error ? error.message : String(error)
}
