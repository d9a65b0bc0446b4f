import 'server-only'
import type { LeadKind } from '@/lib/contract/lead'
import type { LeadTable } from '@/lib/leads/lead-table'
import { listOf } from '@/lib/leads/list-of'
import type { Connect } from '@/server/db/db'
import type { Logger } from '@/server/logger'
import type { TriageBoard } from '@/server/triage/triage-board'
import { checkList } from './check-list'
import { deleteOld } from './delete-old'
import type { PurgeNews } from './purge-news'

export type Retention = {
  start: () => void
  stop: () => void
  /** One round now; what fails is logged and tried again at the next. */
  run: () => Promise<void>
}

export type RetentionOptions = {
  connect: Connect
  triage: Pick<TriageBoard, 'current'>
  /** The list of the last good answer; null while the last answer was none. */
  listNow: (kind: LeadKind) => LeadTable | null
  news: Pick<PurgeNews, 'tell'>
  months: number
  now: () => number
  /** Runs it after so many milliseconds; answers what calls that off. */
  schedule: (delayMs: number, run: () => void) => () => void
  logger: Pick<Logger, 'info' | 'warn'>
}

const FIRST_AFTER_MS = 60_000
const EVERY_MS = 10 * 60_000
const KINDS = ['asked-question', 'declaration-of-interest'] as const

/** Keeps nothing longer than promised: about leads that the service no longer has, and what is old. */
export function createRetention(options: RetentionOptions): Retention {
  const { connect, months, now, schedule, logger } = options
  let cancel: (() => void) | null = null
  const run = async () => {
    try {
      for (const kind of KINDS) await purge(options, kind)
      if (await deleteOld(connect, { now: now(), months })) logger.info('what was kept for long enough is deleted')
    } catch (err) {
      logger.warn({ err }, 'what is kept could not be looked through')
    }
  }
  const runAfter = (delayMs: number) => {
    cancel = schedule(delayMs, () => void run().then(() => cancel && runAfter(EVERY_MS)))
  }
  return {
    run,
    start: () => cancel ?? runAfter(FIRST_AFTER_MS),
    stop: () => {
      cancel?.()
      cancel = null
    },
  }
}

async function purge(options: RetentionOptions, kind: LeadKind): Promise<void> {
  const { connect, triage, listNow, news, now, logger } = options
  const table = listNow(kind)
  // Nobody knows who is there: that is neither presence nor absence.
  if (table === null) return
  const at = now()
  const isThere = (id: string) => table.rowOf(id) !== -1
  const triaged = (await triage.current(kind)).keys()
  const checked = await checkList(connect, { kind, size: table.size, isThere, triaged }, at)
  if (checked?.isHeld)
    logger.warn({ list: listOf(kind) }, 'the list has shrunk: nothing is purged until somebody agrees')
  if (!checked || checked.purged.length === 0) return
  const leads = checked.purged.map((id) => ({ kind, id }))
  await news.tell(leads, at)
  logger.info({ list: listOf(kind), count: leads.length }, 'purged what was kept about leads that are gone')
}
