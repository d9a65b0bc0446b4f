import 'server-only'
import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { z } from 'zod'

export type Bridge<Message> = {
  /** Passes it on to all other instances; lost when Redis is away, for nobody waits for news of yesterday. */
  send: (message: Message) => void
}

export type BridgeOptions<Message> = {
  commands: Redis
  subscriber: Redis
  channel: string
  schema: z.ZodType<Message>
  onMessage: (message: Message) => void
}

/** What one instance says, every other one hears. Names no pupil: ids only, and nothing of it stays in Redis. */
export function createRedisBridge<Message>(options: BridgeOptions<Message>): Bridge<Message> {
  const { commands, subscriber, channel, schema, onMessage } = options
  const self = randomUUID()
  const envelope = z.object({ from: z.string(), message: schema })
  subscriber.on('message', (name, text) => {
    if (name !== channel) return
    // What another release says and this one does not understand is passed over.
    const parsed = envelope.safeParse(jsonOf(text))
    if (parsed.success && parsed.data.from !== self) onMessage(parsed.data.message)
  })
  // A connection that comes back subscribes again by itself.
  subscriber.subscribe(channel).catch(() => {})
  return {
    send: (message) => void commands.publish(channel, JSON.stringify({ from: self, message })).catch(() => {}),
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
