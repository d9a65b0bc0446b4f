type Subscriber<Event> = {
  /** Returns true if it acts on the event, which it may delay because `earlierCount` others act first. */
  onEvent: (event: Event, earlierCount: number) => boolean | void
  onClose: () => void
}

export function createHub<Event>() {
  const subscribers = new Set<Subscriber<Event>>()
  let isClosed = false
  return {
    publish: (event: Event): void => {
      let actingCount = 0
      for (const subscriber of subscribers) if (subscriber.onEvent(event, actingCount) === true) actingCount++
    },
    subscribe: (subscriber: Subscriber<Event>): (() => void) => {
      if (isClosed) subscriber.onClose()
      else subscribers.add(subscriber)
      return () => void subscribers.delete(subscriber)
    },
    /** Closes current and future subscribers. */
    close: (): void => {
      isClosed = true
      for (const subscriber of subscribers) subscriber.onClose()
      subscribers.clear()
    },
    size: (): number => subscribers.size,
  }
}
