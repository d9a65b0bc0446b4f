import type { ReactNode } from 'react'
import { createExternalStore } from './external-store'

type Toast = {
  text: ReactNode
  tone: 'plain' | 'error'
  action?: { label: string; onClick: () => void } | undefined
  /** A toast replaces the ones before it with the same topic, unless those are errors. */
  topic?: string | undefined
  /** The toast stays until its action is chosen, or it is closed where it has none. */
  isPersistent?: boolean | undefined
}

/** The last toast is on screen; the others come back after it. */
export const toasts = createExternalStore<readonly (Toast & { id: number })[]>([])

let lastId = 0

export function toast(text: ReactNode, options: Partial<Omit<Toast, 'text'>> = {}): void {
  lastId += 1
  const newToast: Toast & { id: number } = { tone: 'plain', ...options, text, id: lastId }
  toasts.set([...selectCovered(toasts.read(), newToast), newToast])
}

export function dismissToast(id: number): void {
  toasts.set(toasts.read().filter((other) => other.id !== id))
}

const MAX_COVERED = 2

/** Returns the toasts that come back after the next one. An error is only replaced by its own repetition. */
export function selectCovered<Card extends Toast>(others: readonly Card[], next: Toast): readonly Card[] {
  const isLasting = ({ tone, text, topic, action, isPersistent }: Toast) => {
    if (tone === 'error') return text !== next.text || action !== undefined
    return (topic === undefined || topic !== next.topic) && (action !== undefined || isPersistent === true)
  }
  return others.filter(isLasting).slice(-MAX_COVERED)
}
