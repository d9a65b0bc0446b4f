import { type ReactNode, useSyncExternalStore } from 'react'
import { isCharacter } from '@/lib/keyboard/key-press'
import { createWindowSubscription } from './external-store'
import { cn } from './cn'

export function Kbd({ children, inverted }: { children: ReactNode; inverted?: boolean }) {
  return (
    <kbd
      className={cn(
        'inline-grid h-4.5 min-w-4.5 place-items-center rounded-xs border px-1 font-sans text-2xs leading-none touch:hidden',
        inverted ? 'border-current/35 text-current' : 'border-line bg-panel text-faint',
      )}
    >
      {children}
    </kbd>
  )
}

/** Returns the key to show or announce, or undefined where the user has turned single characters off. */
export function useShortcut(key: string | undefined): string | undefined {
  const hasCharacters = useHasCharacterShortcuts()
  return key === undefined || hasCharacters || !isCharacter(key) ? key : undefined
}

/** Names the stored choice, and an event for the tab that changes it, because `storage` reaches only other tabs. */
const CHARACTERS_CHOICE = 'intag:characters'
const onCharactersChoice = createWindowSubscription(CHARACTERS_CHOICE, 'storage')

/** Tells whether single characters are commands (WCAG 2.1.4). Each browser has its own choice, as keyboards differ. */
export const hasCharacterShortcuts = () => localStorage.getItem(CHARACTERS_CHOICE) !== 'off'

export function setCharacterShortcuts(isOn: boolean): void {
  localStorage.setItem(CHARACTERS_CHOICE, isOn ? 'on' : 'off')
  window.dispatchEvent(new Event(CHARACTERS_CHOICE))
}

export const useHasCharacterShortcuts = () =>
  useSyncExternalStore(onCharactersChoice, hasCharacterShortcuts, () => true)

/** Asks the browser, which alone knows whether it runs on a Mac. */
export const findModifierKey = () => (/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl')
