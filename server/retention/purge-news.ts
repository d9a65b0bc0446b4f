import 'server-only'
import { z } from 'zod'
import { type LeadRef, leadRefSchema } from '@/lib/contract/lead'
import { type Bridge, createRedisBridge } from '@/server/events/redis-bridge'
import type { RedisConnections } from '@/server/redis/redis-connections'
import type { TriageBoard } from '@/server/triage/triage-board'

const newsSchema = z.object({ leads: z.array(leadRefSchema), before: z.number() })
type News = z.infer<typeof newsSchema>

export type PurgeNews = {
  /** Forgets them here and has the other instances forget them; rows written after `before` (ms) stay. */
  tell: (leads: LeadRef[], before: number) => Promise<void>
  /** Hears the other instances from now on. */
  connect: () => void
}

const LEADS_AT_ONCE = 1_000

/** Every instance remembers all triage; what was purged has to be forgotten everywhere. */
export function createPurgeNews(
  triage: Pick<TriageBoard, 'forget'>,
  redis: Pick<RedisConnections, 'commands' | 'subscriber'> | null,
): PurgeNews {
  let others: Bridge<News> = { send: () => {} }
  return {
    tell: async (leads, before) => {
      for (let from = 0; from < leads.length; from += LEADS_AT_ONCE) {
        others.send({ leads: leads.slice(from, from + LEADS_AT_ONCE), before })
      }
      await triage.forget(leads, before)
    },
    connect: () => {
      if (redis === null) return
      const { commands, subscriber } = redis
      others = createRedisBridge({
        commands,
        subscriber,
        channel: 'intag:purged',
        schema: newsSchema,
        onMessage: ({ leads, before }) => void triage.forget(leads, before),
      })
    },
  }
}
