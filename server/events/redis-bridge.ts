import 'server-only'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { RedisMessages } from '@/server/db/redis-connections'
import { parsedJson } from '@/server/parsed-json'

type BridgeOptions<Message> = {
  redis: RedisMessages | null
  channel: string
  schema: z.ZodType<Message>
  onMessage: (message: Message) => void
  onGap?: () => void
}

/** Ids only, sealed, not kept in Redis. A message with another key may have mattered: that is a gap. */
export function createRedisBridge<Message>(options: BridgeOptions<Message>) {
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
    /** Whether everything that others send arrives here now; true when alone. */
    isListening: () => isListening,
    /** Lost while Redis is away, since it would be stale later. Answers whether Redis passed it on. */
    send: async (message: Message): Promise<boolean> => {
      if (redis === null) return true
      if (!isConnected) return false
      const sealed = redis.seal.texts.close(JSON.stringify({ from: self, message }), channel)
      return redis.commands.publish(channel, sealed).then(
        () => true,
        () => false,
      )
    },
    connect: (): void => {
      if (redis === null) return
      isConnected = true
      redis.subscriber.on('message', (name, text) => {
        if (name !== channel) return
        const opened = redis.seal.texts.open(text, channel)
        if (opened === null) return onGap()
        const parsed = envelope.safeParse(parsedJson(opened))
        if (parsed.success && parsed.data.from !== self) onMessage(parsed.data.message)
      })
      redis.subscriber.on('close', () => {
        isListening = false
        onGap()
      })
      // A reconnected subscriber subscribes again by itself and answers once it has.
      redis.subscriber.on('ready', () => void listen(redis).catch(() => {}))
      listen(redis).catch(() => {})
    },
  }
}
