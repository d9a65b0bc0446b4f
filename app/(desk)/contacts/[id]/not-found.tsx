import { ContactGone } from '@/components/contact/contact-gone'

export default function ContactNotFound() {
  return <ContactGone />
}
