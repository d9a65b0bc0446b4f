import 'server-only'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { FeedList } from '@/lib/contract/lists'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { Logger } from '@/server/logger'
import type { Watchdog } from '@/server/operations/watchdog'
import { createQueue } from '@/server/concurrency-limit'
import { withinTime } from '@/server/upstream/deadline'
import type { ListContent, ListReader, ListReading } from './list-source'

/** Computes what the first people to look will ask for; `ids`: what is new, if not all. */
type FirstReading = (table: LeadTable, ids?: readonly string[]) => Promise<void>

type HungAnswersOptions = {
  folder: string
  watchdog: Pick<Watchdog, 'note'>
  logger: Pick<Logger, 'error'>
  yieldTurn: () => Promise<void>
}

/** After this the list is shown, also while the database hangs. */
const FIRST_READING_MS = 5_000

/** Reads answers one after the other, so that the watchdog knows over which one the event loop hangs. */
export function createHungAnswers({ folder, watchdog, logger, yieldTurn }: HungAnswersOptions) {
  const queue = createQueue()
  const verdicts = createVerdictStore(folder)
  let firstReading: FirstReading = async () => {}

  async function readNew<T extends ListContent>(list: FeedList, digest: string, reading: Promise<ListReading<T>>) {
    const read = await reading
    if (!read.ok) return read
    const { table } = read.content
    if (read.changed && table)
      await withinTime(firstReading(table, read.touched?.ids), FIRST_READING_MS).catch((err: unknown) =>
        logger.error({ list, err }, 'a list could not be read for the first time as people will read it'),
      )
    if (verdicts.of(list)?.digest !== digest) verdicts.drop(list)
    return read
  }

  return {
    /** Refuses an answer that Intag once hung over, until another one was read. */
    watched:
      <T extends ListContent>(list: FeedList, read: ListReader<T>): ListReader<T> =>
      async (body, current) => {
        if (current?.body?.equals(body)) return read(body, current)
        const digest = await digestOf(body, yieldTurn)
        const verdict = verdicts.of(list)
        if (verdict?.isCertain && verdict.digest === digest) return refusal(verdict)
        return queue(async () => {
          watchdog.note({ list, digest, isOver: false })
          return readNew(list, digest, read(body, current)).finally(() => watchdog.note({ list, digest, isOver: true }))
        })
      },
    beforeShown: (given: FirstReading): void => void (firstReading = given),
  }
}

const verdictSchema = z.object({
  digest: z.string(),
  isCertain: z.boolean(),
  at: z.iso.datetime(),
  stoodAt: z.string(),
})
type Verdict = z.infer<typeof verdictSchema>

/** Written by `server/operations/watchdog.ts` just before it kills the process. */
function createVerdictStore(folder: string) {
  const cached = new Map<FeedList, Verdict | null>()
  const fileOf = (list: FeedList) => join(folder, `hung-${list}.json`)
  const of = (list: FeedList) => {
    if (!cached.has(list)) cached.set(list, readVerdict(fileOf(list)))
    return cached.get(list) ?? null
  }
  const drop = (list: FeedList) => {
    if (of(list) !== null) rmSync(fileOf(list), { force: true })
    cached.set(list, null)
  }
  return { of, drop }
}

function readVerdict(file: string): Verdict | null {
  try {
    return verdictSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

function refusal({ at, stoodAt }: Verdict) {
  const place = stoodAt === '' ? 'its place is not known' : stoodAt
  const detail = `Intag stood still over this very answer and was ended (${place})`
  return { ok: false as const, detail, at: 'intag' as const, since: Date.parse(at), stoodAt }
}

const PART_BYTES = 2 ** 22

async function digestOf(body: Uint8Array, yieldTurn: () => Promise<void>): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < body.byteLength; at += PART_BYTES) {
    if (at > 0) await yieldTurn()
    hash.update(body.subarray(at, at + PART_BYTES))
  }
  return hash.digest('hex')
}
