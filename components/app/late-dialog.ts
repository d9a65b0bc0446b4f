import { lazyDialog } from './lazy-part'

export const LateDialog = lazyDialog(async () => (await import('@/components/ui/dialog')).Dialog)
