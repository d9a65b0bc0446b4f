import { useTranslations } from 'next-intl'
import { createContext, type ReactNode, type RefObject, useContext, useLayoutEffect, useRef, useState } from 'react'
import { ignoreRun, noteCommand } from '@/components/browser/typing'
import { toast } from '@/components/ui/toast'
import { type CommandId, createKeyReader, keyPlaceOf } from '@/lib/keyboard/commands'

type Handlers = { readonly [Id in CommandId]?: (() => void) | undefined }

type Find = (id: CommandId) => (() => void) | undefined
type Registry = { add: (handlers: RefObject<Handlers>) => () => void; find: Find }

const Commands = createContext<Registry>({ add: () => () => {}, find: () => undefined })

export function CommandsProvider({ children }: { children: ReactNode }) {
  const t = useTranslations('shell')
  const [registry] = useState(createRegistry)
  // Before the screen is painted: what is seen can be done.
  useLayoutEffect(() => {
    const read = createKeyReader()
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isChoosing()) return
      const id = read(event, keyPlaceOf(event.target))
      const run = id === null ? undefined : registry.find(id)
      if (id === 'reply' && run === undefined) {
        ignoreRun()
        toast(t('noReply'), { topic: 'reply' })
      }
      if (run === undefined) return
      event.preventDefault()
      noteCommand(event)
      run()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [registry, t])
  return <Commands value={registry}>{children}</Commands>
}

export function useCommands(handlers: Handlers): void {
  const { add } = useContext(Commands)
  const latest = useRef(handlers)
  useLayoutEffect(() => {
    latest.current = handlers
  })
  useLayoutEffect(() => add(latest), [add])
}

export function useFindCommand(): Find {
  return useContext(Commands).find
}

function createRegistry(): Registry {
  const stack: RefObject<Handlers>[] = []
  return {
    add: (handlers) => {
      stack.push(handlers)
      return () => void stack.splice(stack.indexOf(handlers), 1)
    },
    // What was mounted last wins: the bulk bar over the list beneath it.
    find: (id) => stack.findLast(({ current }) => current[id] !== undefined)?.current[id],
  }
}

/** Menus and dialogs have the keys for themselves. */
function isChoosing(): boolean {
  return document.querySelector('[popover="auto"]:popover-open, dialog[open]') !== null
}
