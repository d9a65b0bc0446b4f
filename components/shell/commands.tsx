'use client'

import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { CommandId } from '@/lib/keyboard/commands'
import { keyPlaceOf } from '@/lib/keyboard/key-place'
import { createKeyReader } from '@/lib/keyboard/key-reader'

/** What can be done on this screen now; a command without a way to do it is left out or undefined. */
export type Handlers = { readonly [Id in CommandId]?: (() => void) | undefined }

type Desk = {
  add: (handlers: RefObject<Handlers>) => () => void
  find: (id: CommandId) => (() => void) | undefined
}

const DeskCommands = createContext<Desk>({ add: () => () => {}, find: () => undefined })

/** Holds what the screen can do, and does it when its key is pressed. */
export function CommandsProvider({ children }: { children: ReactNode }) {
  const [desk] = useState(createDesk)
  useEffect(() => {
    const read = createKeyReader()
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isChoosing()) return
      const id = read(event, keyPlaceOf(event.target))
      const run = id === null ? undefined : desk.find(id)
      if (run === undefined) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [desk])
  return <DeskCommands value={desk}>{children}</DeskCommands>
}

/** Lets keys and palette do these while the component is there. */
export function useCommands(handlers: Handlers): void {
  const { add } = useContext(DeskCommands)
  const latest = useRef(handlers)
  useLayoutEffect(() => {
    latest.current = handlers
  })
  useEffect(() => add(latest), [add])
}

/** How a command is done here and now; undefined where it cannot be. */
export function useFindCommand(): Desk['find'] {
  return useContext(DeskCommands).find
}

function createDesk(): Desk {
  const stack: RefObject<Handlers>[] = []
  return {
    add: (handlers) => {
      stack.push(handlers)
      return () => void stack.splice(stack.indexOf(handlers), 1)
    },
    // What came last is nearest to what the person looks at.
    find: (id) => stack.findLast(({ current }) => current[id] !== undefined)?.current[id],
  }
}

/** Menus and dialogs have the keys for themselves. */
function isChoosing(): boolean {
  return document.querySelector('[popover="auto"]:popover-open, dialog[open]') !== null
}
