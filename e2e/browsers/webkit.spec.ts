import { test as base } from '@playwright/test'
import { hasWebKit, isMissing } from './engines'
import { mainWays } from './main-ways'
import type { Tab } from './tab'
import { openWebKit } from './webkit'

const test = base.extend<{ tab: Tab }>({
  tab: async ({ baseURL }, use) => {
    const webkit = await openWebKit(baseURL ?? '')
    await webkit.tab.setViewportSize({ width: 1280, height: 860 })
    await use(webkit.tab)
    await webkit.close()
  },
})

test.skip(isMissing(hasWebKit, 'webkit2gtk-driver xvfb'), 'WebKitGTK is not installed')

mainWays(test, 'webkit')
