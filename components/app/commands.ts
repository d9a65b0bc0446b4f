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
  // The handlers change with each rendering; the registered ref does not, so that it keeps its place in the order.
  useLayoutEffect(() => {
    latestHandlers.current = handlers
  })
  useLayoutEffect(() => {
    registeredHandlers.push(latestHandlers)
    return () => void registeredHandlers.splice(registeredHandlers.indexOf(latestHandlers), 1)
  }, [])
}

/** Hints share the topic of those of the reply panel, so that each replaces the last. */
const showHint = (text: string) => toast(text, { topic: 'reply' })

export function useCommandKeys(): void {
  const t = useTranslations('shell')
  // This is a layout effect, so that keys work from the first paint.
  useLayoutEffect(() => {
    const { read: readKey, isAmidWords } = createKeyReader({
      isMac: findModifierKey() === '⌘',
      areCharactersCommands: hasCharacterShortcuts,
    })
    const guardKey = (event: KeyboardEvent) => {
      if (!isTypedKey(event)) return
      // Keys typed ahead while something opens, or in one burst into a dialog that has opened, must decide nothing.
      if (swallowKeyWhileOpening(event)) readKey(event, 'opening')
      else if (wouldPressDialogButton(event) && isAmidWords(event)) {
        event.preventDefault()
        event.stopImmediatePropagation()
      }
    }
    const runCommand = (event: KeyboardEvent) => {
      if (!isTypedKey(event)) return
      // The key reader must see an Escape even if a field has handled it, because Escape ends a burst of typing.
      if (event.defaultPrevented && event.key !== 'Escape') return
      const isOverlayOpen = document.querySelector('[popover="auto"]:popover-open, dialog[open]') !== null
      const isKeyTaken = event.defaultPrevented || isOverlayOpen
      const context = findKeyContext(event.target)
      const commandId = readKey(event, isKeyTaken ? 'choosing' : context)
      const handler = commandId === null ? undefined : findCommand(commandId)
      // While a dialog, a menu or the outcome of a call has the keys, a key that is a command elsewhere shows a hint.
      const mustEscapeFirst = (isKeyTaken && context !== 'typing') || context === 'outcome'
      if (commandId === null && mustEscapeFirst && isCommandKey(event)) showHint(t('escapeFirst'))
      if (commandId === 'reply' && handler === undefined) showHint(t('noReply'))
      if (commandId === 'note' && handler === undefined) showHint(t('noNote'))
      if (handler === undefined) return
      event.preventDefault()
      handler()
    }
    const cleanup = new AbortController()
    const { signal } = cleanup
    window.addEventListener('keydown', guardKey, { capture: true, signal })
    window.addEventListener('keydown', runCommand, { signal })
    document.addEventListener('focusin', ({ target }) => endOpeningOnFocus(target), { signal })
    return () => cleanup.abort()
  }, [t])
}
