CREATE TABLE "known_leads" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "known_leads_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"leads" json NOT NULL
);
--> statement-breakpoint
ALTER TABLE "lead_absences" ADD COLUMN "agreed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "known_leads_order" ON "known_leads" USING btree ("kind","id");