import type { ReactNode } from 'react'
import { createExternalStore } from './external-store'

type ToastContent = {
  text: ReactNode
  tone: 'plain' | 'error'
  action?: { label: string; onClick: () => void } | undefined
  /** A toast replaces the ones before it with the same topic, unless those are errors. */
  topic?: string | undefined
  /** The toast stays until its action is chosen, or, if it has none, until it is closed. */
  isPersistent?: boolean | undefined
}

type Toast = ToastContent & { id: number }

/** The last toast is on screen and covers the others, which come back after it. */
export const toasts = createExternalStore<readonly Toast[]>([])

let lastId = 0

export function toast(text: ReactNode, options: Partial<Omit<ToastContent, 'text'>> = {}): void {
  lastId += 1
  const newToast: Toast = { tone: 'plain', ...options, text, id: lastId }
  toasts.set([...selectCovered(toasts.read(), newToast), newToast])
}

export function dismissToast(id: number): void {
  toasts.set(toasts.read().filter((other) => other.id !== id))
}

/** Errors are counted apart, so that neither other errors nor offers to undo hide one before it is read. */
const MAX_COVERED = { plain: 2, error: 10 }

/**
 * Selects the toasts that come back after `next`: errors, unless `next` repeats them, and plain ones with an action or
 * persistent, unless `next` has their topic. Of each tone the newest come back.
 */
export function selectCovered<Card extends ToastContent>(others: readonly Card[], next: ToastContent): Card[] {
  const comesBack = ({ tone, text, topic, action, isPersistent }: Card) => {
    if (tone === 'error') return text !== next.text || action !== undefined
    return (topic === undefined || topic !== next.topic) && (action !== undefined || isPersistent === true)
  }
  const covered = others.filter(comesBack)
  return covered.filter((card, index) => {
    const sameToneCount = covered.slice(index).filter(({ tone }) => tone === card.tone).length
    return sameToneCount <= MAX_COVERED[card.tone]
  })
}
