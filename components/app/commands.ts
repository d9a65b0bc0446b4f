import { useTranslations } from 'next-intl'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { hasCharacterShortcuts, findModifierKey } from '@/components/ui/kbd'
import { toast } from '@/components/ui/toast'
import type { CommandId } from '@/lib/keyboard/commands'
import { isTypedKey } from '@/lib/keyboard/key-press'
import { createKeyReader, findKeyContext, isCommandKey } from '@/lib/keyboard/key-reader'
import { endOpeningOnFocus, wouldPressDialogButton, swallowKeyWhileOpening } from './opening'

export type CommandHandlers = { [Id in CommandId]?: (() => void) | undefined }

const registeredHandlers: RefObject<CommandHandlers>[] = []

/** Finds the handler registered last. Of components that mount together it is the parent's, whose effects run last. */
export function findCommand(id: CommandId): (() => void) | undefined {
  return registeredHandlers.findLast(({ current }) => current[id] !== undefined)?.current[id]
}

export function useCommands(handlers: CommandHandlers): void {
  const latestHandlers = useRef(handlers)
  // Handlers change at each rendering, and stay registered in the same place.
  useLayoutEffect(() => {
    latestHandlers.current = handlers
  })
  useLayoutEffect(() => {
    registeredHandlers.push(latestHandlers)
    return () => void registeredHandlers.splice(registeredHandlers.indexOf(latestHandlers), 1)
  }, [])
}

/** A hint replaces the one before, also one of the reply panel, which has the same topic. */
const showHint = (text: string) => toast(text, { topic: 'reply' })

export function useCommandKeys(): void {
  const t = useTranslations('shell')
  // This is a layout effect, so that keys work from the first paint.
  useLayoutEffect(() => {
    const { read: readKey, isAmidWords } = createKeyReader({
      isMac: findModifierKey() === '⌘',
      areCharactersCommands: hasCharacterShortcuts,
    })
    const onCapturedKey = (event: KeyboardEvent) => {
      if (!isTypedKey(event)) return
      // Keys that a user types ahead while something opens, or types on into a dialog, must decide nothing.
      if (swallowKeyWhileOpening(event)) readKey(event, 'opening')
      else if (wouldPressDialogButton(event) && isAmidWords(event)) {
        event.preventDefault()
        event.stopImmediatePropagation()
      }
    }
    const onKey = (event: KeyboardEvent) => {
      if (!isTypedKey(event)) return
      // The key reader must see an Escape even if a field has handled it, because Escape ends a burst of typing.
      if (event.defaultPrevented && event.key !== 'Escape') return
      const isOverlayOpen = document.querySelector('[popover="auto"]:popover-open, dialog[open]') !== null
      const isTaken = event.defaultPrevented || isOverlayOpen
      const context = findKeyContext(event.target)
      const id = readKey(event, isTaken ? 'choosing' : context)
      const handler = id === null ? undefined : findCommand(id)
      // While a dialog, a menu or the outcome of a call has the keys, a key that is a command elsewhere shows a hint.
      const mustEscapeFirst = (isTaken && context !== 'typing') || context === 'outcome'
      if (id === null && mustEscapeFirst && isCommandKey(event)) showHint(t('escapeFirst'))
      if (id === 'reply' && handler === undefined) showHint(t('noReply'))
      if (id === 'note' && handler === undefined) showHint(t('noNote'))
      if (handler === undefined) return
      event.preventDefault()
      handler()
    }
    const cleanup = new AbortController()
    const { signal } = cleanup
    window.addEventListener('keydown', onCapturedKey, { capture: true, signal })
    window.addEventListener('keydown', onKey, { signal })
    document.addEventListener('focusin', ({ target }) => endOpeningOnFocus(target), { signal })
    return () => cleanup.abort()
  }, [t])
}
