import 'server-only'
import type { LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { everyView } from '@/server/desk/saved-views'
import type { Logger } from '@/server/logger'
import type { Seal } from '@/server/seal'
import type { TriageBoard } from '@/server/triage/triage-board'
import { checkAbsences } from './absences'
import { type EndParts, endProtections } from './ended-protections'
import { purgeAbsent, purgeOld } from './purge'

type RetentionOptions = EndParts & {
  seal: Seal
  triage: Pick<TriageBoard, 'current' | 'outdate'>
  months: number
  now: () => number
  logger: Pick<Logger, 'info' | 'warn'>
}

/** Keeps nothing longer than promised: about leads that the service no longer has, and what is old. */
export function createRetention(options: RetentionOptions) {
  const { connect, months, now, logger } = options
  return {
    /** One round. */
    run: async (): Promise<void> => {
      for (const kind of LEAD_KINDS) await purgeKind(options, kind)
      if (await purgeOld(connect, { now: now(), months }))
        logger.info('rows older than the retention period are deleted')
      const ended = await endProtections(options, now())
      if (ended > 0) logger.info({ count: ended }, 'ended protections of persons whose leads are gone')
    },
  }
}

async function purgeKind(options: RetentionOptions, kind: LeadKind): Promise<void> {
  const { connect, seal, triage, listNow, now, logger } = options
  const table = listNow(kind)
  // Without a good answer nobody knows which leads are missing.
  if (table === null) return
  const at = now()
  const { list } = LISTS_BY_KIND[kind]
  const isThere = (id: string) => table.rowOf(id) !== -1
  const inViews = (await everyView(await connect(), seal)).flatMap(({ view, content }) =>
    view.list === list ? (content.query.id ?? []) : [],
  )
  const named = [...(await triage.current(kind)).keys(), ...inViews]
  const checked = await checkAbsences(connect, { kind, size: table.size, isThere, named }, at)
  if (checked === null) return
  if (checked.isHeld) {
    logger.warn({ list }, 'the list has shrunk: nothing is purged until somebody agrees')
    return
  }
  const count = await purgeAbsent(connect, seal, kind, at)
  if (count === 0) return
  triage.outdate()
  logger.info({ list, count }, 'purged triage and notes of leads that are gone')
}
