import type { InstanceEvents } from '../instance-events'

type Events = Pick<InstanceEvents, 'registerTopic' | 'isListening'>
type Receive = (name: string, message: unknown) => void

/** Passes messages between instances as PostgreSQL does, but at once and within one process. */
export function createMemoryEvents() {
  const instances = new Set<Receive>()
  function connect(): Events {
    const topics = new Map<string, (message: unknown) => void>()
    const receive: Receive = (name, message) => topics.get(name)?.(message)
    instances.add(receive)
    return {
      isListening: () => true,
      registerTopic: (name, { schema, onMessage }) => {
        topics.set(name, (message) => onMessage(schema.parse(message)))
        return async (message) => {
          for (const other of instances) if (other !== receive) other(name, message)
          return true
        }
      },
    }
  }
  return { connect }
}

/** The events of an instance that is alone. */
export const noEvents: Events = createMemoryEvents().connect()
