import { useTranslations } from 'next-intl'
import { createContext, type ReactNode, type RefObject, useContext, useLayoutEffect, useRef, useState } from 'react'
import { areCharactersCommands } from '@/components/browser/browser-tab'
import { modifierKey } from '@/components/ui/kbd'
import { toast } from '@/components/ui/toast'
import { type CommandId, createKeyReader, keyPlaceOf } from '@/lib/keyboard/commands'
import { isPressOfKey } from '@/lib/keyboard/key-press'
import { answersQuestion, endOpeningAt, swallowKey } from './opening'

type Handlers = { readonly [Id in CommandId]?: (() => void) | undefined }

type FindCommand = (id: CommandId) => (() => void) | undefined
type Registry = { add: (handlers: RefObject<Handlers>) => () => void; find: FindCommand }

const CommandsContext = createContext<Registry>({ add: () => () => {}, find: () => undefined })

export function CommandsProvider({ children }: { children: ReactNode }) {
  const t = useTranslations('shell')
  const [registry] = useState(createRegistry)
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
      const id = read(event, isTaken ? 'choosing' : keyPlaceOf(event.target))
      const handler = id === null ? undefined : registry.find(id)
      if (id === 'reply' && handler === undefined) toast(t('noReply'), { topic: 'reply' })
      if (handler === undefined) return
      event.preventDefault()
      handler()
    }
    const onFocus = ({ target }: FocusEvent) => endOpeningAt(target)
    window.addEventListener('keydown', onKeyBefore, { capture: true })
    window.addEventListener('keydown', onKey)
    document.addEventListener('focusin', onFocus)
    return () => {
      window.removeEventListener('keydown', onKeyBefore, { capture: true })
      window.removeEventListener('keydown', onKey)
      document.removeEventListener('focusin', onFocus)
    }
  }, [registry, t])
  return <CommandsContext value={registry}>{children}</CommandsContext>
}

export function useCommands(handlers: Handlers): void {
  const { add } = useContext(CommandsContext)
  const latest = useRef(handlers)
  useLayoutEffect(() => {
    latest.current = handlers
  })
  useLayoutEffect(() => add(latest), [add])
}

export function useFindCommand(): FindCommand {
  return useContext(CommandsContext).find
}

function createRegistry(): Registry {
  const stack: RefObject<Handlers>[] = []
  return {
    add: (handlers) => {
      stack.push(handlers)
      return () => void stack.splice(stack.indexOf(handlers), 1)
    },
    // The last registered wins: the bulk bar over the list. Of one commit that is the parent, whose effects run last.
    find: (id) => stack.findLast(({ current }) => current[id] !== undefined)?.current[id],
  }
}

/** Menus and dialogs have the keys for themselves. */
function isOverlayOpen(): boolean {
  return document.querySelector('[popover="auto"]:popover-open, dialog[open]') !== null
}
