import fc from 'fast-check'
import type { AskedQuestion, DeclarationOfInterest, Triage } from '@/lib/contract/lead'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import type { ExportedLead } from '@/lib/export/export-cells'

const LINKS = ['=HYPERLINK("http://evil.example";"klicka")', "=cmd|' /C calc'!A0"]
const FORMULAS = ['=1+1', '+46', '-2+3', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1+1', '\u200b=1']
const LINES = ['Åsa "Ö" O\'Brien; son, till\r\nkungen', 'rad\nrad\rrad', 'BEGIN:VCARD\nEND:VCARD', '  ', "'"]
const CHARACTERS = ['👩‍👩‍👧 🇸🇪', 'מרים ‮abc', '\u0000\u0001\u001f\ufffe', '\ud83d']
const ESCAPES = ['_x0041_ _x000D_', '<b>&amp;</b> ]]>', 'a\\nb\\,c\\;d']
const HOSTILE = [...LINKS, ...FORMULAS, ...LINES, ...CHARACTERS, ...ESCAPES]
const parts = fc.array(fc.constantFrom(...HOSTILE, 'ord', ' ', ';', ',', '"', '\r\n'), { maxLength: 6 })
const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 40 }),
  parts.map((some) => some.join('')),
)
const optional = fc.option(hostileText)
const PHONES = ['+46701234567', '070-123 45 67', '08-123 456 78', '+467000000000', '+4712345678', '112']
const phone = fc.option(fc.oneof(hostileText, fc.constantFrom(...PHONES)))
const createdAt = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) }).map((ms) => new Date(ms).toISOString())

const shared = { id: hostileText, highSchoolId: hostileText, createdAt }
const declaration: fc.Arbitrary<DeclarationOfInterest> = fc.record({
  ...shared,
  user: fc.record({
    firstName: optional,
    lastName: optional,
    email: optional,
    phone,
    highSchoolEnrollmentYear: fc.option(fc.integer({ min: -5, max: 3000 })),
  }),
})
const question: fc.Arbitrary<AskedQuestion> = fc.record({
  ...shared,
  highSchoolName: hostileText,
  question: hostileText,
  sender: fc.record({ mode: fc.oneof(fc.constantFrom('email', 'phone'), hostileText), phone, email: optional }),
})
const triage: fc.Arbitrary<Triage> = fc.record({
  status: fc.constantFrom(...LEAD_STATUSES),
  assignee: fc.option(fc.record({ id: hostileText, name: hostileText })),
  updatedAt: fc.constant(null),
})

export const exportedLead: fc.Arbitrary<ExportedLead> = fc.record({
  lead: fc.oneof(declaration, question),
  triage,
  school: hostileText,
  answer: fc.record({
    answeredAt: fc.option(fc.integer({ min: 0, max: 4_000_000_000_000 })),
    answeredBy: fc.option(hostileText),
    attempts: fc.nat(20),
  }),
})
