'use client'

import { useEffect, useEffectEvent } from 'react'

export type ListKeys = {
  move: (step: 1 | -1) => void
  openCursor: () => void
  close: () => void
  search: () => void
}

/** The list's keys, wherever the focus is except where a person types or chooses. */
export function useListKeys(keys: ListKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const action = actionOf(event, keys)
    if (action === null) return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

function actionOf(event: KeyboardEvent, keys: ListKeys): (() => void) | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isChoosing()) return null
  const { target } = event
  if (event.key === 'Escape') return isTyping(target) ? null : keys.close
  if (isTyping(target)) return null
  switch (event.key) {
    case 'j':
      return () => keys.move(1)
    case 'k':
      return () => keys.move(-1)
    case 'ArrowDown':
      return isInList(target) ? () => keys.move(1) : null
    case 'ArrowUp':
      return isInList(target) ? () => keys.move(-1) : null
    case 'Enter':
      return isInList(target) || target === document.body ? keys.openCursor : null
    case '/':
      return keys.search
    default:
      return null
  }
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

function isInList(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.getAttribute('role') === 'listbox'
}

/** Menus and dialogs have the keys for themselves. */
function isChoosing(): boolean {
  return document.querySelector('[popover="auto"]:popover-open, dialog[open]') !== null
}
