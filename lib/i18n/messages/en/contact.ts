import type { contact as swedish } from '@/lib/i18n/messages/sv/contact'
import type { Translated } from '@/lib/i18n/messages/translated'

export const contact = {
  title: 'Contact',
  alsoNamed: 'Also gave',
  unnamed: 'Name missing',
  leads: '{count, plural, one {# lead} other {# leads}}',
  backToLists: 'To the declarations',
  notFound: 'This contact does not exist',
  notFoundHint: 'It may have been removed in the service, or belong to a school you do not see.',
  notReady: 'Loading the first data',
  notReadyHint: 'This usually takes a few seconds. Reload the page in a moment.',
  outdated: 'The page could not be updated. You see what was fetched last.',
  separate:
    'These leads are shown together because the email or phone is the same. They may come from different people.',
  timeline: {
    title: 'Timeline',
    declaration: 'Declaration of interest to {school}',
    question: 'Question to {school}',
    current: 'Shown now',
    only: 'This is the only lead from this email and phone.',
    showAll: 'Show all {count, number}',
    showMore: 'Show more ({count, number} left)',
    cut: 'The latest {shown, number} of {total, number} are shown.',
    readMore: 'Show all of it',
    readLess: 'Show less',
    failed: 'The timeline could not be loaded.',
  },
  reason: {
    same: {
      'same-email': 'Same email',
      'same-phone': 'Same phone',
      'same-email-and-phone': 'Same email and phone',
      'through-others': 'Through another lead',
    },
    otherName: {
      'same-email': 'Same email, other name',
      'same-phone': 'Same phone, other name: sibling?',
      'same-email-and-phone': 'Same email and phone, other name',
      'through-others': 'Through another lead, other name',
    },
  },
  notes: {
    title: 'Notes',
    label: 'Write a note',
    placeholder: 'Write a note …',
    hint: 'Encrypted. Everyone who sees the lead can read it.',
    save: 'Save',
    failedToSave: 'The note could not be saved. The text is still here; try again.',
    tooLong: '{over, plural, one {# character} other {# characters}} too long',
    failed: 'The notes could not be loaded.',
    unreadable: 'This note is encrypted with another key and cannot be read.',
    formerColleague: 'Former colleague',
    remove: 'Delete the note by {name}',
    removeTitle: 'Delete the note?',
    removeBody: 'It disappears for everyone and cannot be brought back.',
    removeYes: 'Delete',
    removeFailed: 'The note could not be deleted.',
  },
  mail: {
    templates: 'Reply templates',
    otherLanguage: { sv: 'In Swedish', en: 'In English' },
    blank: 'Blank email',
    failed: 'The templates could not be loaded.',
    long: 'Long: some email programs cut off the end',
    minorRule:
      'Do answer what they wrote to you about. Advertising sent directly to children under 16 goes against good marketing practice in Sweden.',
    proceed: 'Continue to the email',
  },
  qr: {
    title: 'Call from a phone',
    hint: 'Point the phone’s camera at the code.',
    alt: 'QR code that calls {phone}',
  },
  presence: {
    also: '{count, plural, =1 {{name} has this open too} =2 {{name} and {second} have this open too} other {{name} and {more, number} more have this open too}}',
  },
} satisfies Translated<typeof swedish>
