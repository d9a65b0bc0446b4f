import { useTranslations } from 'next-intl'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { areCharactersCommands } from '@/components/ui/browser-tab'
import { modifierKey } from '@/components/ui/kbd'
import { toast } from '@/components/ui/toast'
import { type CommandId, createKeyReader, isCommandKey, keyPlaceOf } from '@/lib/keyboard/commands'
import { isPressOfKey } from '@/lib/keyboard/key-press'
import { answersQuestion, endOpeningAt, swallowKey } from './opening'

type Handlers = { readonly [Id in CommandId]?: (() => void) | undefined }

const registered: RefObject<Handlers>[] = []

/** The last registered wins: the bulk bar over the list. Of one commit that is the parent, whose effects run last. */
function findCommand(id: CommandId): (() => void) | undefined {
  return registered.findLast(({ current }) => current[id] !== undefined)?.current[id]
}

export const useFindCommand = () => findCommand

export function useCommands(handlers: Handlers): void {
  const latest = useRef(handlers)
  useLayoutEffect(() => {
    latest.current = handlers
  })
  useLayoutEffect(() => {
    registered.push(latest)
    return () => void registered.splice(registered.indexOf(latest), 1)
  }, [])
}

/** Has the keys do what the commands on screen say. */
export function useCommandKeys(): void {
  const t = useTranslations('shell')
  // A layout effect, so that keys work from the first paint.
  useLayoutEffect(() => {
    const { read, isAmidWords } = createKeyReader({ isMac: modifierKey() === '⌘', areCharactersCommands })
    const onKeyBefore = (event: KeyboardEvent) => {
      if (!isPressOfKey(event)) return
      if (swallowKey(event)) read(event, 'opening')
      else if (answersQuestion(event) && isAmidWords(event)) {
        event.preventDefault()
        event.stopImmediatePropagation()
      }
    }
    const onKey = (event: KeyboardEvent) => {
      if (!isPressOfKey(event)) return
      // Escape that a field has used, as that of a call's outcome, still ends a burst of typing.
      if (event.defaultPrevented && event.key !== 'Escape') return
      const isTaken = event.defaultPrevented || isOverlayOpen()
      const place = keyPlaceOf(event.target)
      const id = read(event, isTaken ? 'choosing' : place)
      const handler = id === null ? undefined : findCommand(id)
      // A question that is open, or that of a call, has the keys; one that does nothing there says so.
      const isAsked = (isTaken && place !== 'typing') || place === 'outcome'
      if (id === null && isAsked && isCommandKey(event)) toast(t('escapeFirst'), { topic: 'reply' })
      if (id === 'reply' && handler === undefined) toast(t('noReply'), { topic: 'reply' })
      if (id === 'note' && handler === undefined) toast(t('noNote'), { topic: 'reply' })
      if (handler === undefined) return
      event.preventDefault()
      handler()
    }
    const unmount = new AbortController()
    const { signal } = unmount
    window.addEventListener('keydown', onKeyBefore, { capture: true, signal })
    window.addEventListener('keydown', onKey, { signal })
    document.addEventListener('focusin', ({ target }) => endOpeningAt(target), { signal })
    return () => unmount.abort()
  }, [t])
}

/** Menus and dialogs have the keys for themselves. */
function isOverlayOpen(): boolean {
  return document.querySelector('[popover="auto"]:popover-open, dialog[open]') !== null
}
