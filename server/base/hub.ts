type Subscriber<Event> = {
  /** Returns true if it acts on the event. `actedBefore` others have, so that each can act a little later. */
  onEvent: (event: Event, actedBefore: number) => boolean | void
  onClose: () => void
}

export function createHub<Event>() {
  const subscribers = new Set<Subscriber<Event>>()
  let isClosed = false
  return {
    publish: (event: Event): void => {
      let acted = 0
      for (const subscriber of subscribers) if (subscriber.onEvent(event, acted) === true) acted++
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
