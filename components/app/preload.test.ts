import { expect, it } from 'vitest'
import { waitForInput } from './preload'

it('an aborted wait for input ends at once', async () => {
  await expect(waitForInput(AbortSignal.abort())).resolves.toBeUndefined()
})
