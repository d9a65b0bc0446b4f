import 'server-only'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { RedisConnections } from '@/server/db/redis-connections'

type Bridge<Message> = {
  /** Sends it to all other instances; lost while Redis is away, for it would be out of date later. */
  send: (message: Message) => void
  /** Sends and receives from now on. */
  connect: () => void
}

type BridgeOptions<Message> = {
  /** Null when this instance is alone: then nothing is sent or received. */
  redis: Pick<RedisConnections, 'commands' | 'subscriber'> | null
  channel: string
  schema: z.ZodType<Message>
  onMessage: (message: Message) => void
}

/** Messages from each instance to every other. Names no pupil: ids only, and nothing of it stays in Redis. */
export function createRedisBridge<Message>(options: BridgeOptions<Message>): Bridge<Message> {
  const { redis, channel, schema, onMessage } = options
  const self = randomUUID()
  const envelope = z.object({ from: z.string(), message: schema })
  let isConnected = false
  return {
    send: (message) => {
      if (redis === null || !isConnected) return
      redis.commands.publish(channel, JSON.stringify({ from: self, message })).catch(() => {})
    },
    connect: () => {
      if (redis === null) return
      isConnected = true
      redis.subscriber.on('message', (name, text) => {
        if (name !== channel) return
        // What another release sent and this one does not understand is ignored.
        const parsed = envelope.safeParse(jsonOf(text))
        if (parsed.success && parsed.data.from !== self) onMessage(parsed.data.message)
      })
      // A connection that comes back subscribes again by itself.
      redis.subscriber.subscribe(channel).catch(() => {})
    },
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
