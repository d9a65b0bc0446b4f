import type { views as swedish } from '@/lib/i18n/messages/sv/views'
import type { Translated } from '@/lib/i18n/messages/translated'

export const views = {
  save: 'Save as a view',
  saveIt: 'Save',
  name: 'Name',
  share: 'Share with everyone',
  shareHint: 'Everyone sees the view, each with the leads of their own schools.',
  sharedSearch: 'The search “{text}” goes along and is seen by everyone.',
  saved: 'The view {name} is saved',
  failed: 'The view could not be saved. Try again.',
} as const satisfies Translated<typeof swedish>
