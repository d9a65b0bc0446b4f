import { useTranslations } from 'next-intl'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { hasCharacterShortcuts, modifierKey } from '@/components/ui/kbd'
import { toast } from '@/components/ui/toast'
import type { CommandId } from '@/lib/keyboard/commands'
import { isTypedKey } from '@/lib/keyboard/key-press'
import { createKeyReader, findKeyContext, isCommandKey } from '@/lib/keyboard/key-reader'
import { endOpeningOnFocus, mayAnswerDialog, swallowKey } from './opening'

export type CommandHandlers = { [Id in CommandId]?: (() => void) | undefined }

const registeredHandlers: RefObject<CommandHandlers>[] = []

/** The handler that was registered last wins. Of components that mount together it is the parent's, as its effects run last. */
export function findCommand(id: CommandId): (() => void) | undefined {
  return registeredHandlers.findLast(({ current }) => current[id] !== undefined)?.current[id]
}

export function useCommands(handlers: CommandHandlers): void {
  const latest = useRef(handlers)
  useLayoutEffect(() => {
    latest.current = handlers
  })
  useLayoutEffect(() => {
    registeredHandlers.push(latest)
    return () => void registeredHandlers.splice(registeredHandlers.indexOf(latest), 1)
  }, [])
}

export function useCommandKeys(): void {
  const t = useTranslations('shell')
  // This is a layout effect, so that keys work from the first paint.
  useLayoutEffect(() => {
    const { read, isAmidWords } = createKeyReader({
      isMac: modifierKey() === '⌘',
      areCharactersCommands: hasCharacterShortcuts,
    })
    const onCapturedKey = (event: KeyboardEvent) => {
      if (!isTypedKey(event)) return
      if (swallowKey(event)) read(event, 'opening')
      else if (mayAnswerDialog(event) && isAmidWords(event)) {
        event.preventDefault()
        event.stopImmediatePropagation()
      }
    }
    const onKey = (event: KeyboardEvent) => {
      if (!isTypedKey(event)) return
      // The key reader must see an Escape even if a field has handled it, because Escape ends a burst of typing.
      if (event.defaultPrevented && event.key !== 'Escape') return
      // Menus and dialogs have the keys for themselves.
      const isOverlayOpen = document.querySelector('[popover="auto"]:popover-open, dialog[open]') !== null
      const isTaken = event.defaultPrevented || isOverlayOpen
      const context = findKeyContext(event.target)
      const id = read(event, isTaken ? 'choosing' : context)
      const handler = id === null ? undefined : findCommand(id)
      // While a dialog, a menu or the outcome of a call has the keys, a key that is a command elsewhere shows a hint.
      const mustEscapeFirst = (isTaken && context !== 'typing') || context === 'outcome'
      if (id === null && mustEscapeFirst && isCommandKey(event)) toast(t('escapeFirst'), { topic: 'reply' })
      if (id === 'reply' && handler === undefined) toast(t('noReply'), { topic: 'reply' })
      if (id === 'note' && handler === undefined) toast(t('noNote'), { topic: 'reply' })
      if (handler === undefined) return
      event.preventDefault()
      handler()
    }
    const unmount = new AbortController()
    const { signal } = unmount
    window.addEventListener('keydown', onCapturedKey, { capture: true, signal })
    window.addEventListener('keydown', onKey, { signal })
    document.addEventListener('focusin', ({ target }) => endOpeningOnFocus(target), { signal })
    return () => unmount.abort()
  }, [t])
}
