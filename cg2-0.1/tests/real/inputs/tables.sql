create table part(id integer primary key, name text, price real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
   insert into part select i, hex(i * 7919 % 1000), i * 0.5 from n;
create index by_name on part(name);
create virtual table documents using fts5(body);
insert into documents values ('the quick brown fox'), ('jumps over the lazy dog');
begin;
update part set price = price * 1.1 where id % 3 = 0;
rollback;
select count(*), sum(id), round(avg(price), 3) from part where name > '3';
select a.id, b.id from part a join part b on a.name = b.name and a.id < b.id order by 1, 2 limit 5;
select body from documents where documents match 'lazy OR fox' order by body;
select json_group_array(name) from (select name from part order by id limit 3);
select nosuch from part;
