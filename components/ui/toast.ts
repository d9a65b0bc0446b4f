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

/** Errors have a limit of their own, so that neither offers to undo nor a few more errors push out an unread one. */
const MAX_COVERED = { plain: 2, error: 10 }

/** Selects the toasts that come back after `next`, the last one first. An error without action is not repeated. */
export function selectCovered<Card extends ToastContent>(others: readonly Card[], next: ToastContent): Card[] {
  const comesBack = ({ tone, text, topic, action, isPersistent }: Card) => {
    if (tone === 'error') return text !== next.text || action !== undefined
    return (topic === undefined || topic !== next.topic) && (action !== undefined || isPersistent === true)
  }
  const selectNewest = (tone: Card['tone']) =>
    others.filter((other) => other.tone === tone && comesBack(other)).slice(-MAX_COVERED[tone])
  return [...selectNewest('plain'), ...selectNewest('error')]
}
