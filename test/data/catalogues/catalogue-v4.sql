SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public._catalogue (
    application text NOT NULL,
    version bigint NOT NULL
);
CREATE TABLE public._change (
    number bigint NOT NULL
);
CREATE TABLE public._hooks (
    id text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    list text NOT NULL COLLATE pg_catalog."C",
    language text NOT NULL COLLATE pg_catalog."C",
    collection text NOT NULL COLLATE pg_catalog."C",
    secret text NOT NULL COLLATE pg_catalog."C",
    created bigint NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL COLLATE pg_catalog."C",
    until bigint NOT NULL
);
CREATE TABLE public._idempotency (
    key text NOT NULL COLLATE pg_catalog."C",
    payload text NOT NULL COLLATE pg_catalog."C",
    result text NOT NULL COLLATE pg_catalog."C",
    expires bigint NOT NULL
);
CREATE TABLE public._keys (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    scopes text NOT NULL COLLATE pg_catalog."C",
    created bigint NOT NULL,
    expires bigint
);
CREATE UNLOGGED TABLE public._limits (
    client text NOT NULL COLLATE pg_catalog."C",
    "window" bigint NOT NULL,
    used bigint NOT NULL
);
CREATE TABLE public._tombstones (
    number bigint NOT NULL,
    collection text NOT NULL COLLATE pg_catalog."C",
    parent text COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public._totals (
    collection text NOT NULL COLLATE pg_catalog."C",
    field text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    count bigint NOT NULL
);
CREATE TABLE public.cars (
    _created bigint NOT NULL,
    _revision bigint NOT NULL,
    identifier text NOT NULL COLLATE pg_catalog."C",
    brand text COLLATE pg_catalog."C",
    model text COLLATE pg_catalog."C",
    year bigint,
    doors bigint,
    "enginePower" bigint,
    version text COLLATE pg_catalog."C",
    clima bigint,
    ac bigint,
    fuel text COLLATE pg_catalog."C",
    _identifier text COLLATE pg_catalog."C",
    _brand text COLLATE pg_catalog."C",
    _model text COLLATE pg_catalog."C",
    _version text COLLATE pg_catalog."C",
    _fuel text COLLATE pg_catalog."C"
);
CREATE TABLE public.oils (
    _created bigint NOT NULL,
    _revision bigint NOT NULL,
    _parent text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    "otherInfo" text COLLATE pg_catalog."C",
    _type text COLLATE pg_catalog."C",
    "_otherInfo" text COLLATE pg_catalog."C"
);
INSERT INTO public._catalogue VALUES ('car-dealer-catalogue', 4);
INSERT INTO public._change VALUES (15320449380608);
INSERT INTO public._idempotency VALUES ('c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7c7', 'd8d8d8d8d8d8d8d8d8d8d8d8d8d8d8d8d8d8d8d8d8d8d8d8d8d8d8d8d8d8d8d8', '[15320449378816,{"identifier":"back","brand":"Škoda","model":"Fabia","year":2100}]', 4000000000000);
INSERT INTO public._keys VALUES ('a0B1c2D3e4', 'The shop, señor', '5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e', 'read write', 1800000000000, 4000000000000);
INSERT INTO public._tombstones VALUES (15320449374463, '', NULL, '0');
INSERT INTO public._tombstones VALUES (15320449377024, 'cars', NULL, 'gone');
INSERT INTO public._tombstones VALUES (15320449377536, 'cars', NULL, 'back');
INSERT INTO public._tombstones VALUES (15320449380353, 'oils', 'seat-ibiza-1', 'gone');
INSERT INTO public._totals VALUES ('cars', 'brand', 'seat', 1);
INSERT INTO public._totals VALUES ('cars', '=brand=seat', 'Seat', 1);
INSERT INTO public._totals VALUES ('cars', 'year', '2008', 1);
INSERT INTO public._totals VALUES ('cars', 'brand', 'lotus', 0);
INSERT INTO public._totals VALUES ('cars', '=brand=lotus', 'Lotus', 0);
INSERT INTO public._totals VALUES ('cars', 'model', 'ibiza', 1);
INSERT INTO public._totals VALUES ('cars', '=model=ibiza', 'Ibiza', 1);
INSERT INTO public._totals VALUES ('cars', 'year', '1980', 0);
INSERT INTO public._totals VALUES ('cars', '=brand=citroen', 'Citroën', 1);
INSERT INTO public._totals VALUES ('cars', 'model', 'c5', 1);
INSERT INTO public._totals VALUES ('cars', '=model=c5', 'C5', 1);
INSERT INTO public._totals VALUES ('cars', 'year', '1999', 1);
INSERT INTO public._totals VALUES ('cars', 'brand', 'citroen', 2);
INSERT INTO public._totals VALUES ('cars', '=brand=citroen', 'Citroën', 1);
INSERT INTO public._totals VALUES ('cars', 'model', 'ami', 1);
INSERT INTO public._totals VALUES ('cars', '=model=ami', 'Ami', 1);
INSERT INTO public._totals VALUES ('cars', '', '', 4);
INSERT INTO public._totals VALUES ('cars', '+brand', '', 4);
INSERT INTO public._totals VALUES ('cars', '+model', '', 4);
INSERT INTO public._totals VALUES ('cars', '+year', '', 3);
INSERT INTO public._totals VALUES ('cars', 'brand', 'skoda', 1);
INSERT INTO public._totals VALUES ('cars', '=brand=skoda', 'Škoda', 1);
INSERT INTO public._totals VALUES ('cars', 'model', 'fabia', 1);
INSERT INTO public._totals VALUES ('cars', '=model=fabia', 'Fabia', 1);
INSERT INTO public._totals VALUES ('cars', 'year', '2100', 1);
INSERT INTO public.cars VALUES (15320449374464, 15320449377792, 'seat-ibiza-1', 'Seat', 'Ibiza', 2008, 3, 105, '1.9 TDI Sport', 1, 0, 'Diésel', 'seat-ibiza-1', 'seat', 'ibiza', '1.9 tdi sport', 'diesel');
INSERT INTO public.cars VALUES (15320449378048, 15320449378048, 'Citroën/C5 ñ', 'Citroën', 'C5', 1999, NULL, NULL, '', NULL, NULL, 'Gasolina', 'citroen/c5 n', 'citroen', 'c5', '', 'gasolina');
INSERT INTO public.cars VALUES (15320449378304, 15320449378304, '汽车🚗', 'Citroën', 'Ami', NULL, 0, 0, NULL, 0, 1, NULL, '汽车🚗', 'citroen', 'ami', NULL, NULL);
INSERT INTO public.cars VALUES (15320449378816, 15320449378816, 'back', 'Škoda', 'Fabia', 2100, NULL, NULL, NULL, NULL, NULL, NULL, 'back', 'skoda', 'fabia', NULL, NULL);
INSERT INTO public.oils VALUES (15320449379328, 15320449379328, 'seat-ibiza-1', '5W-30', 'Sintético, según norma', '5w-30', 'sintetico, segun norma');
INSERT INTO public.oils VALUES (15320449379584, 15320449379584, 'seat-ibiza-1', '10W/40', NULL, '10w/40', NULL);
INSERT INTO public.oils VALUES (15320449380096, 15320449380096, 'seat-ibiza-1', 'Aceite nº 1', '', 'aceite nº 1', '');
INSERT INTO public.oils VALUES (15320449380608, 15320449380608, 'back', '5W-30', NULL, '5w-30', NULL);
ALTER TABLE ONLY public._catalogue
    ADD CONSTRAINT _catalogue_pkey PRIMARY KEY (application);
ALTER TABLE ONLY public._hooks
    ADD CONSTRAINT _hooks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public._idempotency
    ADD CONSTRAINT _idempotency_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public._keys
    ADD CONSTRAINT _keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public._limits
    ADD CONSTRAINT _limits_pkey PRIMARY KEY (client);
ALTER TABLE ONLY public._tombstones
    ADD CONSTRAINT _tombstones_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public._totals
    ADD CONSTRAINT _totals_pkey PRIMARY KEY (collection, field, value);
ALTER TABLE ONLY public.cars
    ADD CONSTRAINT cars_pkey PRIMARY KEY (identifier);
ALTER TABLE ONLY public.oils
    ADD CONSTRAINT oils_pkey PRIMARY KEY (_parent, type);
CREATE INDEX _idempotency_expires ON public._idempotency USING btree (expires);
CREATE INDEX _pauses ON public._tombstones USING btree (number) WHERE (collection = ''::text);
CREATE INDEX cars__created ON public.cars USING btree (_created);
CREATE INDEX cars_brand ON public.cars USING btree (_brand, _created);
CREATE INDEX cars_identifier ON public.cars USING btree (_identifier, _created);
CREATE INDEX cars_model ON public.cars USING btree (_model, _created);
CREATE INDEX cars_revision ON public.cars USING btree (_revision);
CREATE INDEX cars_search_63f57194 ON public.cars USING gin (array_to_tsvector(string_to_array(btrim((regexp_replace((' '::text ||
CASE
    WHEN (length(((COALESCE(_brand, ''::text) || ' '::text) || COALESCE(_model, ''::text))) > 64) THEN regexp_replace(((COALESCE(_brand, ''::text) || ' '::text) || COALESCE(_model, ''::text)), '([^\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b9\u00bb-\u00bf\u00d7-\u00d7\u00f7-\u00f7\u2000-\u206f\u3000-\u303f\ufffd-\uffff]{64})[^\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b9\u00bb-\u00bf\u00d7-\u00d7\u00f7-\u00f7\u2000-\u206f\u3000-\u303f\ufffd-\uffff]+'::text, '\1'::text, 'g'::text)
    ELSE ((COALESCE(_brand, ''::text) || ' '::text) || COALESCE(_model, ''::text))
END), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b9\u00bb-\u00bf\u00d7-\u00d7\u00f7-\u00f7\u2000-\u206f\u3000-\u303f\ufffd-\uffff]+'::text, ' +'::text, 'g'::text) || regexp_replace((' '::text ||
CASE
    WHEN (length(((COALESCE(_version, ''::text) || ' '::text) || COALESCE(_fuel, ''::text))) > 64) THEN regexp_replace(((COALESCE(_version, ''::text) || ' '::text) || COALESCE(_fuel, ''::text)), '([^\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b9\u00bb-\u00bf\u00d7-\u00d7\u00f7-\u00f7\u2000-\u206f\u3000-\u303f\ufffd-\uffff]{64})[^\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b9\u00bb-\u00bf\u00d7-\u00d7\u00f7-\u00f7\u2000-\u206f\u3000-\u303f\ufffd-\uffff]+'::text, '\1'::text, 'g'::text)
    ELSE ((COALESCE(_version, ''::text) || ' '::text) || COALESCE(_fuel, ''::text))
END), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b9\u00bb-\u00bf\u00d7-\u00d7\u00f7-\u00f7\u2000-\u206f\u3000-\u303f\ufffd-\uffff]+'::text, ' -'::text, 'g'::text))), ' '::text))) WITH (fastupdate=off);
CREATE INDEX cars_year ON public.cars USING btree (year, _created);
CREATE INDEX oils__parent ON public.oils USING btree (_parent, _created);
CREATE INDEX oils_revision ON public.oils USING btree (_revision);
ALTER TABLE ONLY public.oils
    ADD CONSTRAINT oils__parent_fkey FOREIGN KEY (_parent) REFERENCES public.cars(identifier) ON DELETE CASCADE;
