import 'server-only'
import type { NewTemplate } from '@/lib/contract/reply-template'

/** What a new installation begins with: thanks, an answer, an invitation. Administrators make them their own. */
export const firstTemplates: readonly NewTemplate[] = [
  {
    language: 'sv',
    name: 'Tack för ditt intresse',
    subject: 'Tack för ditt intresse för {school}',
    body: `Hej {firstName}!

Vad roligt att du är intresserad av {school}. Vi berättar gärna mer om våra program och om hur det är att gå hos oss.

Är det något du undrar över? Svara bara på det här mejlet.

Vänliga hälsningar
{school}`,
  },
  {
    language: 'sv',
    name: 'Svar på din fråga',
    subject: 'Svar på din fråga till {school}',
    body: `Hej {firstName}!

Tack för din fråga.



Hör gärna av dig igen om du undrar över något mer.

Vänliga hälsningar
{school}`,
  },
  {
    language: 'sv',
    name: 'Kom på öppet hus',
    subject: 'Välkommen på öppet hus på {school}',
    body: `Hej {firstName}!

Vi har snart öppet hus på {school}. Då får du se skolan och träffa både elever och lärare. Ta gärna med dig någon hemifrån.

Datum och tid:

Vi ses!
{school}`,
  },
  {
    language: 'en',
    name: 'Thank you for your interest',
    subject: 'Thank you for your interest in {school}',
    body: `Hi {firstName},

We are happy that you are interested in {school}, and would like to tell you more about our programmes and what it is like to study here.

Is there anything you are wondering about? Just reply to this email.

Kind regards,
{school}`,
  },
  {
    language: 'en',
    name: 'Answer to your question',
    subject: 'Your question to {school}',
    body: `Hi {firstName},

Thank you for your question.



Please get in touch again if there is anything else you would like to know.

Kind regards,
{school}`,
  },
  {
    language: 'en',
    name: 'Come to our open day',
    subject: 'Welcome to the open day at {school}',
    body: `Hi {firstName},

We are having an open day at {school} soon. Come and see the school, and meet our students and teachers. You are welcome to bring someone from home.

Date and time:

See you there!
{school}`,
  },
]
