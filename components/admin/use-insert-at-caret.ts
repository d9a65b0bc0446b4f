'use client'

import { type FocusEvent, useRef } from 'react'

type TextField = HTMLInputElement | HTMLTextAreaElement
type Target = { field: TextField; write: (text: string) => void }

/** Puts text where the caret stood last, in whichever of the watched fields had it; at first, at the end of `isFirst`. */
export function useInsertAtCaret() {
  const target = useRef<Target | null>(null)
  const watch = (write: (text: string) => void, isFirst = false) => ({
    ref: (field: TextField | null) => {
      if (isFirst && field !== null && target.current === null) target.current = { field, write }
    },
    onFocus: ({ currentTarget }: FocusEvent<TextField>) => {
      target.current = { field: currentTarget, write }
    },
  })
  const insert = (text: string) => {
    if (target.current === null) return
    const { field, write } = target.current
    const isUntouched = document.activeElement !== field && field.selectionEnd === 0
    const start = isUntouched ? field.value.length : (field.selectionStart ?? field.value.length)
    const end = isUntouched ? start : (field.selectionEnd ?? start)
    if (field.value.length - (end - start) + text.length > field.maxLength) return
    write(field.value.slice(0, start) + text + field.value.slice(end))
    field.focus()
    // React writes the value first, which sends the caret to the end.
    requestAnimationFrame(() => field.setSelectionRange(start + text.length, start + text.length))
  }
  return { watch, insert }
}
