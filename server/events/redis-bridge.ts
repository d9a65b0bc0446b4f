import 'server-only'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { RedisMessages } from '@/server/db/redis-connections'

type Bridge<Message> = {
  /**
   * Sends it to all other instances; lost while Redis is away, for it would be out of date later. Answers whether Redis has
   * passed it on.
   */
  send: (message: Message) => Promise<boolean>
  /** Sends and receives from now on. */
  connect: () => void
  /** Whether everything that the others send arrives here now; always so without others. */
  isListening: () => boolean
}

type BridgeOptions<Message> = {
  /** Null when this instance is alone: then nothing is sent or received. */
  redis: RedisMessages | null
  channel: string
  schema: z.ZodType<Message>
  onMessage: (message: Message) => void
  /** Messages may have been missed until now. */
  onGap?: () => void
}

/**
 * Messages from each instance to every other. They name no pupil, only ids, are sealed all the same, and nothing of them
 * stays in Redis. What an instance with another key sent may have been something it must know: that is a gap.
 */
export function createRedisBridge<Message>(options: BridgeOptions<Message>): Bridge<Message> {
  const { redis, channel, schema, onMessage, onGap = () => {} } = options
  const self = randomUUID()
  const envelope = z.object({ from: z.string(), message: schema })
  let isConnected = false
  let isListening = redis === null
  const listen = async ({ subscriber }: NonNullable<typeof redis>) => {
    await subscriber.subscribe(channel)
    isListening = true
    onGap()
  }
  return {
    isListening: () => isListening,
    send: async (message) => {
      if (redis === null) return true
      if (!isConnected) return false
      const sealed = redis.seal.texts.close(JSON.stringify({ from: self, message }), channel)
      const passedOn = redis.commands.publish(channel, sealed)
      return passedOn.then(
        () => true,
        () => false,
      )
    },
    connect: () => {
      if (redis === null) return
      isConnected = true
      redis.subscriber.on('message', (name, text) => {
        if (name !== channel) return
        const opened = redis.seal.texts.open(text, channel)
        if (opened === null) return onGap()
        // What another release sent and this one does not understand is ignored.
        const parsed = envelope.safeParse(jsonOf(opened))
        if (parsed.success && parsed.data.from !== self) onMessage(parsed.data.message)
      })
      redis.subscriber.on('close', () => {
        isListening = false
        onGap()
      })
      // A connection that comes back subscribes again by itself, which is answered only when it has.
      redis.subscriber.on('ready', () => void listen(redis).catch(() => {}))
      listen(redis).catch(() => {})
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
