import type { Locator, Page } from '@playwright/test'
import type { PageLike } from '../fixtures'

export type Role = Parameters<Page['getByRole']>[0]
export type Name = { name: RegExp } | { name: string; exact: true }
type Within = { getByRole: (role: Role, name?: Name) => TabLocator }

export type TabLocator = Within &
  Pick<Locator, 'click' | 'count' | 'innerText' | 'inputValue' | 'isChecked'> & {
    first: () => TabLocator
    selectOption: (value: string) => Promise<unknown>
  }

/** A Playwright page in Firefox; WebKit's has the same names and meanings. */
export type Tab = Within &
  PageLike & {
    goto: (path: string) => Promise<unknown>
    reload: () => Promise<unknown>
    url: () => string | Promise<string>
    keyboard: { press: (keys: string) => Promise<void>; type: (text: string) => Promise<void> }
    setViewportSize: (size: { width: number; height: number }) => Promise<void>
  }
