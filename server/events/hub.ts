import 'server-only'

export type Hub<Event> = {
  publish: (event: Event) => void
  /** Answers what unsubscribes. */
  subscribe: (listener: Subscriber<Event>) => () => void
  /** Tells every subscriber that the server is going; nobody is told anything afterwards. */
  close: () => void
  size: () => number
}

export type Subscriber<Event> = { onEvent: (event: Event) => void; onClose: () => void }

/** Passes events of this process on to whoever listens in this process. */
export function createHub<Event>(): Hub<Event> {
  const subscribers = new Set<Subscriber<Event>>()
  let closed = false
  return {
    publish: (event) => {
      for (const subscriber of subscribers) subscriber.onEvent(event)
    },
    subscribe: (subscriber) => {
      if (closed) subscriber.onClose()
      else subscribers.add(subscriber)
      return () => void subscribers.delete(subscriber)
    },
    close: () => {
      closed = true
      for (const subscriber of subscribers) subscriber.onClose()
      subscribers.clear()
    },
    size: () => subscribers.size,
  }
}
