import 'server-only'
import { z } from 'zod'
import { type LeadKind, type LeadRef, leadRefSchema } from '@/lib/contract/lead'
import { LEAD_KINDS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { inParts } from '@/server/db/in-parts'
import type { RedisMessages } from '@/server/db/redis-connections'
import { everyView } from '@/server/desk/saved-views'
import { createRedisBridge } from '@/server/events/redis-bridge'
import type { Logger } from '@/server/logger'
import type { Seal } from '@/server/seal'
import type { TriageBoard } from '@/server/triage/triage-board'
import { checkAbsences } from './absences'
import { type EndParts, endProtections } from './ended-protections'
import { purgeAbsent, purgeOld } from './purge'

export type Retention = {
  /** Subscribes to what the other instances purge. */
  connect: () => void
  /** What was deleted of these leads is forgotten by every instance. */
  forget: Forget
  /** One round. */
  run: () => Promise<void>
}

type RetentionOptions = EndParts & {
  seal: Seal
  triage: Pick<TriageBoard, 'current' | 'outdate'>
  /** Null when this instance is alone. */
  redis: RedisMessages | null
  months: number
  now: () => number
  logger: Pick<Logger, 'info' | 'warn'>
}

/** Keeps nothing longer than promised: about leads that the service no longer has, and what is old. */
export function createRetention(options: RetentionOptions): Retention {
  const { connect, months, now, logger } = options
  const everywhere = createForgetEverywhere(options)
  return {
    ...everywhere,
    run: async () => {
      for (const kind of LEAD_KINDS) await purgeKind(options, kind, everywhere.forget)
      if (await purgeOld(connect, { now: now(), months }))
        logger.info('rows older than the retention period are deleted')
      const ended = await endProtections(options, now())
      if (ended > 0) logger.info({ count: ended }, 'ended protections of persons whose leads are gone')
    },
  }
}

async function purgeKind(options: RetentionOptions, kind: LeadKind, forget: Forget): Promise<void> {
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
  const purged = await purgeAbsent(connect, seal, kind, at)
  if (purged.length === 0) return
  forget(
    purged.map((id) => ({ kind, id })),
    at,
  )
  logger.info({ list, count: purged.length }, 'purged triage and notes of leads that are gone')
}

/** Tells every instance that the triage of these leads was deleted; what was written after `before` (ms) stays. */
type Forget = (leads: LeadRef[], before: number) => void

const purgedSchema = z.object({ leads: z.array(leadRefSchema), before: z.number() })

const LEADS_PER_MESSAGE = 1_000

/**
 * Every instance keeps all triage in memory, and reads which rows were deleted like those that were written: with the message
 * at once, else a little later. What is in it is for the release before this one, which knows of deletions by it alone.
 */
function createForgetEverywhere({ triage, redis }: Pick<RetentionOptions, 'triage' | 'redis'>) {
  const others = createRedisBridge({
    redis,
    channel: 'intag:purged',
    schema: purgedSchema,
    onMessage: triage.outdate,
  })
  const forget: Forget = (leads, before) => {
    for (const part of inParts(leads, LEADS_PER_MESSAGE)) others.send({ leads: part, before })
    triage.outdate()
  }
  return { forget, connect: others.connect }
}
