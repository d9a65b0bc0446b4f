import 'server-only'
import { z } from 'zod'
import { leadRefSchema } from '@/lib/contract/lead'
import { type Bridge, createRedisBridge } from '@/server/events/redis-bridge'
import type { RedisConnections } from '@/server/redis/redis-connections'
import { type Beat, createPresenceBoard, type PresenceBoard, type PresenceOptions } from './presence-board'

const beatSchema: z.ZodType<Beat> = z.object({
  userId: z.string(),
  tab: z.string(),
  lead: leadRefSchema.nullable(),
  school: z.string(),
})

export type SharedPresence = PresenceBoard & {
  /** Hears the other instances from now on. */
  connect: () => void
}

/**
 * Who has which lead open, on whichever instance: every instance hears every beat and keeps a board of its own, so that
 * nothing about it is stored anywhere and each tells its own browsers.
 */
export function createSharedPresence(
  options: PresenceOptions & { redis: Pick<RedisConnections, 'commands' | 'subscriber'> | null },
): SharedPresence {
  const board = createPresenceBoard(options)
  const { redis } = options
  let others: Bridge<Beat> = { send: () => {} }
  return {
    peopleAt: board.peopleAt,
    note: (beat) => {
      board.note(beat)
      others.send(beat)
    },
    connect: () => {
      if (redis === null) return
      const { commands, subscriber } = redis
      others = createRedisBridge({
        commands,
        subscriber,
        channel: 'intag:presence',
        schema: beatSchema,
        onMessage: board.note,
      })
    },
  }
}
